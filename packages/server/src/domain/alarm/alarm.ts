// Alarms for operators. They contain no identities.

/** The kinds and their severity: erasing that has stopped comes first, then reached limits, then deadlines. */
const SEVERITY = {
  expected_deadline: 5,
  statutory_deadline: 4,
  erase_again_deadline: 5,
  daily_starts: 2,
  daily_rows: 2,
  not_found: 3,
  held: 3,
  outside_plan: 3,
  daily_summary: 6,
  target_down: 1,
  target_refused: 1,
  worker_failing: 0,
  backup_failed: 1,
  events_unsent: 2,
  row_refused: 0,
  unreadable: 0,
  store_went_back: 0,
  clock_ahead: 0,
  audit_tampered: 0,
  receipt_refused: 0,
  certificate_expiry: 2,
  certificate_refused: 2,
};
export type AlarmKind = keyof typeof SEVERITY;

export const ALARM_KINDS = Object.keys(SEVERITY) as AlarmKind[];

/** The most severe first. */
export const KINDS_BY_SEVERITY = ALARM_KINDS.toSorted((a, b) => SEVERITY[a] - SEVERITY[b]);

export interface NewAlarm {
  readonly kind: AlarmKind;
  /** Kind, subject and percent together are unique: such an alarm is raised once. */
  readonly subject: string;
  /** Share of the time until the deadline that has passed; 100 means it is over. 0 for alarms without a deadline. */
  readonly percent: number;
  readonly requestNo: number | null;
  readonly controllerId: string | null;
  readonly target: string | null;
  /** The nearest deadline, if the alarm is about several. */
  readonly deadline: number | null;
  /** Number of requests that the alarm is about; 1 if it is about something else. */
  readonly count: number;
  /** What is wrong and what to do. */
  readonly message: string;
  readonly raisedTime: number;
}

export interface Alarm extends NewAlarm {
  readonly alarmNo: number;
  readonly subjectRequestId: string | null;
  /** Null until it is delivered. */
  readonly deliveredTime: number | null;
}

/** `deliveredTime` of an alarm whose delivery was given up. */
export const GIVEN_UP = -1;

/** Fills in the fields that most alarms leave empty. */
export function anAlarm(
  kind: AlarmKind,
  subject: string,
  message: string,
  raisedTime: number,
  about: Partial<NewAlarm> = {},
): NewAlarm {
  return {
    kind,
    subject,
    message,
    raisedTime,
    percent: 0,
    requestNo: null,
    controllerId: null,
    target: null,
    deadline: null,
    count: 1,
    ...about,
  };
}
