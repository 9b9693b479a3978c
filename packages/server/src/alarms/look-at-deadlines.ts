// Half, four fifths and nearly all of the time: each is told once, and that it has passed.
import { type AlarmKind, anAlarm, type NewAlarm } from '../domain/alarm/alarm.ts';
import type { LookedAt, WatchedRequest } from '../domain/alarm/alarm-ports.ts';
import { expectedCompletion } from '../domain/deadline/expected-completion.ts';
import { statutoryLimit, type TimeLimit } from '../domain/deadline/statutory-deadline.ts';

export const STAGES = [50, 80, 95, 100] as const;
/** At least once a day: it may be done, and asked to be erased again. */
const LOOK_AGAIN_MS = 24 * 3_600_000;

interface Clock extends TimeLimit {
  readonly kind: AlarmKind;
  readonly subject: string;
  readonly words: string;
}

export function lookAtDeadlines(request: WatchedRequest, now: number): LookedAt {
  const clocks = clocksOf(request);
  if (clocks.length === 0) return { alarms: [], nextTime: null };
  const alarms: NewAlarm[] = [];
  let nextTime = now + LOOK_AGAIN_MS;
  for (const clock of clocks) {
    for (const percent of STAGES) {
      const time = stageTime(clock, percent);
      if (time > now) nextTime = Math.min(nextTime, time);
      else alarms.push(alarmOf(request, clock, percent, now));
    }
  }
  return { alarms, nextTime };
}

export function stageTime({ start, end }: TimeLimit, percent: number): number {
  return start + Math.floor(((end - start) * percent) / 100);
}

function clocksOf(request: WatchedRequest): Clock[] {
  const { requestNo, regulation, submittedTime, receivedTime, againAskedTime } = request;
  const subject = `request ${requestNo}`;
  if (request.isOpen) {
    return [
      {
        ...{ kind: 'expected_deadline', subject, words: 'the expected completion time' },
        ...{ start: receivedTime, end: expectedCompletion(receivedTime) },
      },
      {
        ...{ kind: 'statutory_deadline', subject, words: 'the statutory deadline' },
        ...statutoryLimit(regulation, submittedTime, receivedTime),
      },
    ];
  }
  if (againAskedTime === null) return [];
  return [
    {
      kind: 'erase_again_deadline',
      subject: `${subject} again ${againAskedTime}`,
      words: 'the time for erasing again',
      ...{ start: againAskedTime, end: expectedCompletion(againAskedTime) },
    },
  ];
}

function alarmOf(request: WatchedRequest, clock: Clock, percent: number, now: number): NewAlarm {
  const { requestNo, controllerId } = request;
  const state =
    percent === 100
      ? `${clock.words} has passed`
      : `${percent} % of the time until ${clock.words} has passed`;
  const message = `${state}, and the request is not completed: "unwrite request list --attention" says why`;
  const about = { percent, requestNo, controllerId, deadline: clock.end };
  return anAlarm(clock.kind, clock.subject, message, now, about);
}
