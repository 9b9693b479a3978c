// The message that is posted: one for all alarms of the same kind and subject.
import type { Alarm } from '../domain/alarm/alarm.ts';

export interface AlarmMessage {
  /** The same number means the same alarm: a message may arrive twice. */
  readonly alarm: number;
  readonly kind: string;
  readonly percent: number | null;
  /** Those that requests reached since the last message; several if some are later than others. */
  readonly percents: readonly number[];
  readonly controller_id: string | null;
  readonly subject_request_id: string | null;
  readonly target: string | null;
  readonly deadline: string | null;
  /** The number of requests that the alarm is about; the request that is named has the nearest deadline. */
  readonly count: number;
  readonly message: string;
  readonly raised_time: string;
  /** The page of the console about it. */
  readonly link: string;
}

/** The last alarm is the most urgent: they come in the order of their stages. */
/** `console`: address of the console. */
export function alarmMessage(alarms: readonly Alarm[], console: string): AlarmMessage | undefined {
  const last = alarms.at(-1);
  if (last === undefined) return undefined;
  const percents = alarms.map(({ percent }) => percent).filter((percent) => percent > 0);
  return {
    alarm: last.alarmNo,
    kind: last.kind,
    percent: last.percent === 0 ? null : last.percent,
    percents,
    controller_id: last.controllerId,
    subject_request_id: last.subjectRequestId,
    target: last.target,
    deadline: last.deadline === null ? null : new Date(last.deadline).toISOString(),
    count: last.count,
    message: last.message,
    raised_time: new Date(last.raisedTime).toISOString(),
    link: linkTo(pageOf(last), console),
  };
}

function pageOf({ controllerId, subjectRequestId, target }: Alarm): string {
  if (controllerId !== null && subjectRequestId !== null)
    return `/requests/${controllerId}/${subjectRequestId}`;
  return target === null ? '/alarms' : `/targets/${encodeURIComponent(target)}`;
}

const linkTo = (page: string, console: string) => new URL(`/console${page}`, console).href;

export function testMessage(now: number, console: string): AlarmMessage {
  return {
    alarm: 0,
    kind: 'test',
    percent: null,
    percents: [],
    controller_id: null,
    subject_request_id: null,
    target: null,
    deadline: null,
    count: 1,
    message: 'this is a test: alarms would arrive here',
    raised_time: new Date(now).toISOString(),
    link: linkTo('/alarms', console),
  };
}
