import { anAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import type { Clock } from '../domain/clock.ts';
import { dayOf } from '../domain/limit/day.ts';
import type { TellAlarms } from './watch-chores.ts';

const WITHIN_MS = 600_000;
const STOPS = 3;

/** A single crash raises no alarm. Runs in the server's thread, since a dead worker cannot raise one. */
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
      'the worker keeps stopping: it was restarted three times in ten minutes; the log says why';
    const alarm = anAlarm('worker_failing', `day ${dayOf(now)}`, message, now);
    try {
      tell(await store.raise([alarm]));
    } catch {
      // The store itself may have failed: then only the log is left.
      tell([alarm]);
    }
  };
}
