// What alarms need from the store.
import type { Regulation } from '@unwrite/protocol';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { Alarm, AlarmKind, NewAlarm } from './alarm.ts';
import type { ReachedStage } from './deadline-alarms.ts';

/** A request that comes near one of its deadlines. */
export interface WatchedRequest {
  readonly requestNo: number;
  readonly controllerId: ControllerId;
  readonly regulation: Regulation;
  readonly submittedTime: string;
  readonly receivedTime: number;
  /** Pending or in progress. */
  readonly isOpen: boolean;
  /** When erasing again was asked for, while that is under way. */
  readonly againAskedTime: number | null;
  /** Stages before were told. */
  readonly lookedUntil: number;
}

export interface LookedAt {
  readonly reached: readonly ReachedStage[];
  /** When to look at it again; null: not any more. */
  readonly nextTime: number | null;
}

export interface WatchStore {
  /** Whether there is anything to look at; costs next to nothing. */
  hasToLook(now: number): Promise<boolean>;
  /** Starts to watch what has come near, looks at what is due, and answers what is to be told now. */
  look(now: number, lookAt: (request: WatchedRequest) => LookedAt): Promise<readonly NewAlarm[]>;
}

export interface ConditionLimits {
  readonly maxStartsPerDay: number | null;
  /** Percent of the requests of a day. */
  readonly notFoundPercent: number | null;
}

export interface ConditionStore {
  /** What is wrong and was not raised yet. */
  conditions(limits: ConditionLimits, now: number): Promise<NewAlarm[]>;
  /** Answers those that were not raised before. */
  raise(alarms: readonly NewAlarm[]): Promise<readonly NewAlarm[]>;
}

export interface DeliveryStore {
  /** Whether something is to be sent and the time for it has come. */
  hasToDeliver(now: number): Promise<boolean>;
  giveUp(raisedBefore: number): Promise<void>;
  /** What is sent next: the most severe, with all others of its kind and subject. */
  nextToDeliver(now: number): Promise<readonly Alarm[]>;
  /** One that has grown meanwhile is sent again later. */
  delivered(alarms: readonly Pick<Alarm, 'alarmNo' | 'count'>[], now: number): Promise<void>;
  /** Answers how often in a row. */
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
