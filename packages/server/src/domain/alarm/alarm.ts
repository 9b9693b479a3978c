// What operators are told of without asking. No identity in any of it.

export const ALARM_KINDS = [
  'expected_deadline',
  'statutory_deadline',
  'erase_again_deadline',
  'daily_starts',
  'daily_rows',
  'not_found',
  'target_down',
  'target_refused',
  'worker_failing',
  'row_refused',
  'unreadable',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

export interface NewAlarm {
  readonly kind: AlarmKind;
  /** Together with kind and percent: what is raised once. */
  readonly subject: string;
  /** Of the time until the deadline; 100: it has passed. 0 where there is none. */
  readonly percent: number;
  readonly requestNo: number | null;
  readonly controllerId: string | null;
  readonly target: string | null;
  /** Where there are several, the nearest. */
  readonly deadline: number | null;
  /** Of the requests that it is about; 1 where it is about something else. */
  readonly count: number;
  /** What is wrong and what to do. */
  readonly message: string;
  readonly raisedTime: number;
}

export interface Alarm extends NewAlarm {
  readonly alarmNo: number;
  readonly subjectRequestId: string | null;
  /** Null while it is on its way. */
  readonly deliveredTime: number | null;
}

/** The delivered time of one that was given up. */
export const GIVEN_UP = -1;

/** An alarm without what makes it one of a kind. */
export function anAlarm(
  kind: AlarmKind,
  subject: string,
  message: string,
  raisedTime: number,
  about: Partial<NewAlarm> = {},
): NewAlarm {
  return {
    ...{ kind, subject, message, raisedTime, percent: 0 },
    ...{ requestNo: null, controllerId: null, target: null, deadline: null, count: 1 },
    ...about,
  };
}
