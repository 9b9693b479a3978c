// Events for the operator's own systems: rows of the audit log, read by a cursor that the store keeps.
import type { Actor } from '../task/operator-ports.ts';

export type EventType =
  | 'request.started'
  | 'request.completed'
  | 'request.held'
  | 'request.cancelled'
  /** Rows were cut for their age before their events were sent. */
  | 'events.lost';

export interface LogEvent {
  /** The same in every message that has it. */
  readonly id: string;
  readonly type: EventType;
  readonly time: string;
  /** Of its row in the audit log: events are sent in this order. */
  readonly audit_no: number;
  readonly controller_id: string | null;
  readonly subject_request_id: string | null;
  /** Of a hold. */
  readonly target: string | null;
  readonly reason: string | null;
}

/** In the form of the Standard Webhooks specification. */
export interface EventsMessage {
  readonly type: 'events';
  /** That of the last event. */
  readonly timestamp: string;
  readonly data: readonly LogEvent[];
}

export interface EventProgress {
  /** Everything up to this row is sent. */
  readonly sentNo: number;
  /** The newest numbered row. */
  readonly newestNo: number;
  readonly sentTime: number | null;
  /** In a row. */
  readonly failures: number;
  /** The last one, which may be over. */
  readonly failure: string | null;
  readonly failedTime: number | null;
  readonly nextTime: number;
}

export interface EventStore {
  /** Whether there are rows that were not looked at, and the time of the next attempt has come. Must be cheap. */
  due(now: number): Promise<boolean>;
  /** Takes the turn until that time; undefined if another node has it. A store that is asked first begins at the newest row. */
  take(now: number, until: number): Promise<Pick<EventProgress, 'sentNo' | 'newestNo'> | undefined>;
  /** `isPosted`: there was an event among the rows. Nothing changes if the cursor was set meanwhile. */
  sent(from: number, to: number, isPosted: boolean, now: number): Promise<void>;
  /** Returns the number of failures in a row. */
  failed(reason: string, now: number, retryTime: (failures: number) => number): Promise<number>;
}

export interface EventOperator {
  /** Undefined before anything was looked at. */
  progress(): Promise<EventProgress | undefined>;
  /** Everything after that row is sent, again if need be. */
  sendAfter(auditNo: number, by: Actor): Promise<void>;
}
