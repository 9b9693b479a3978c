// What alarms need from the store.
import type { LawFacts } from '../deadline/statutory-deadline.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { Alarm, AlarmKind, NewAlarm } from './alarm.ts';
import type { ReachedStage } from './deadline-alarms.ts';

/** A request that comes near one of its deadlines. */
export interface WatchedRequest extends LawFacts {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  /** Pending or in progress. */
  readonly isOpen: boolean;
  /** A legal hold is on it. */
  readonly isOnHold: boolean;
  /** When erasing again was asked for, while that is under way. */
  readonly againAskedTime: number | null;
  /** Stages up to this time were reported. */
  readonly lookedUntil: number;
}

export interface LookedAt {
  readonly reached: readonly ReachedStage[];
  /** When to look at the request again; null means never. */
  readonly nextTime: number | null;
}

export interface WatchStore {
  /** Whether there is anything to look at. Must be cheap. */
  hasToLook(now: number): Promise<boolean>;
  /** Starts to watch requests that came near a deadline, looks at those that are due, and returns what to report. */
  look(now: number, lookAt: (request: WatchedRequest) => LookedAt): Promise<readonly NewAlarm[]>;
}

export interface ConditionLimits {
  readonly maxStartsPerDay: number | null;
  /** Per cent of the requests of a day. */
  readonly notFoundPercent: number | null;
  /** When the daily summary is made, in milliseconds after the begin of the day (UTC); null: never. */
  readonly summaryAt: number | null;
}

export interface ConditionStore {
  /** Conditions that hold and were not raised yet. */
  conditions(limits: ConditionLimits, now: number): Promise<NewAlarm[]>;
  /** Returns those that were not raised before. */
  raise(alarms: readonly NewAlarm[]): Promise<readonly NewAlarm[]>;
}

export interface DeliveryStore {
  /** Whether an alarm is waiting to be sent and the time of its next attempt has come. */
  hasToDeliver(now: number): Promise<boolean>;
  giveUp(raisedBefore: number): Promise<void>;
  /**
   * Takes the turn until that time, and returns the alarms to send next: the most severe one, with all others of its
   * kind and subject. None if another node has the turn.
   */
  take(now: number, until: number): Promise<readonly Alarm[]>;
  /** Ends the turn. An alarm whose count has grown since is sent again later. */
  delivered(alarms: readonly Pick<Alarm, 'alarmNo' | 'count'>[], now: number): Promise<void>;
  /** Returns the number of failures in a row. */
  deliveryFailed(retryTime: (failures: number) => number): Promise<number>;
}

export interface AlarmFilter {
  readonly kind?: AlarmKind;
  readonly raisedAfter?: number;
  readonly limit: number;
}

export interface AlarmCatalogue {
  /** Newest first. */
  alarms(filter: AlarmFilter): Promise<Alarm[]>;
}
