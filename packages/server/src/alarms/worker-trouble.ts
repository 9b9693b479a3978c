import { anAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import type { Clock } from '../domain/clock.ts';
import { dayOf } from '../domain/limit/day.ts';
import type { TellAlarms } from './watch-chores.ts';

const WITHIN_MS = 600_000;
const STOPS = 3;

/** Once may be bad luck. In the server's thread, since a worker that dies raises nothing. */
export function createWorkerTrouble(
  store: Pick<ConditionStore, 'raise'>,
  tell: TellAlarms,
  clock: Clock,
): () => Promise<void> {
  let stops: number[] = [];
  return async () => {
    const now = clock();
    stops = [...stops.filter((time) => Math.abs(now - time) < WITHIN_MS), now];
    if (stops.length < STOPS) return;
    const message =
      'the worker does not get on: it was started anew three times in ten minutes; the log says why it stopped';
    const alarm = anAlarm('worker_failing', `day ${dayOf(now)}`, message, now);
    try {
      tell(await store.raise([alarm]));
    } catch {
      // What the worker died of may be the store: then the log has to do.
      tell([alarm]);
    }
  };
}
