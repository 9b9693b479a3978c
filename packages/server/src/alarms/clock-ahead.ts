// The clock jumped ahead further than is plausible: for one day nothing is forgotten because of its age.
import { anAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import { dayOf } from '../domain/limit/day.ts';
import { DAY_MS } from '../domain/time-units.ts';
import type { TellAlarms } from './watch-chores.ts';

/** Raises the alarm at most once a day. */
export function createTellClock(store: Pick<ConditionStore, 'raise'>, tell: TellAlarms) {
  let told: number | undefined;
  return async (jumpMs: number, now: number): Promise<void> => {
    const day = dayOf(now);
    if (told === day) return;
    const days = Math.round(jumpMs / DAY_MS);
    const message = `the clock is ${days} days ahead of the newest sealed head before it: no records are forgotten, no identities shredded, no audit rows cut and no master keys destroyed for a day. If the machine was off for so long, there is nothing to do; otherwise correct the clock now`;
    tell(await store.raise([anAlarm('clock_ahead', `day ${day}`, message, now)]));
    told = day;
  };
}
