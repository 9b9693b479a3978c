// Raises alarms at 50, 80 and 95 % of the time until a deadline, and when it has passed, each once. Where a look finds
// that several were reached, because the request or the server is late, only the last one is raised.
import type { LookedAt, WatchedRequest } from '../domain/alarm/alarm-ports.ts';
import type { DeadlineKind, ReachedStage } from '../domain/alarm/deadline-alarms.ts';
import { expectedCompletion } from '../domain/deadline/expected-completion.ts';
import { statutoryLimit, type TimeLimit } from '../domain/deadline/statutory-deadline.ts';

export const STAGES = [50, 80, 95, 100] as const;
/** Requests are looked at at least once a day: a completed one may be erased again. */
const LOOK_AGAIN_MS = 24 * 3_600_000;

interface Clock extends TimeLimit {
  readonly kind: DeadlineKind;
}

export function lookAtDeadlines(request: WatchedRequest, now: number): LookedAt {
  const clocks = clocksOf(request);
  const { requestNo, controllerId, isOnHold } = request;
  if (clocks.length === 0) return { reached: [], nextTime: null };
  const reached: ReachedStage[] = [];
  let nextTime = now + LOOK_AGAIN_MS;
  for (const clock of clocks) {
    let highest: number | undefined;
    for (const percent of STAGES) {
      const time = stageTime(clock, percent);
      if (time > now) nextTime = Math.min(nextTime, time);
      // The next check was due no later than the first stage that had not been raised.
      else if (time >= request.lookedUntil) highest = percent;
    }
    if (highest === undefined) continue;
    const { kind, end: deadline } = clock;
    reached.push({ kind, percent: highest, requestNo, controllerId, deadline, isOnHold });
  }
  return { reached, nextTime };
}

export function stageTime({ start, end }: TimeLimit, percent: number): number {
  return start + Math.floor(((end - start) * percent) / 100);
}

function clocksOf(request: WatchedRequest): Clock[] {
  const { receivedTime, againAskedTime } = request;
  if (request.isOpen) {
    return [
      {
        kind: 'expected_deadline',
        start: receivedTime,
        end: expectedCompletion(receivedTime),
      },
      {
        kind: 'statutory_deadline',
        ...statutoryLimit(request),
      },
    ];
  }
  if (againAskedTime === null) return [];
  return [
    {
      kind: 'erase_again_deadline',
      start: againAskedTime,
      end: expectedCompletion(againAskedTime),
    },
  ];
}
