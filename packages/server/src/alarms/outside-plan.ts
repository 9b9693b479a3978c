// An alarm when something in a target's database looks personal and is not in its plan: once for each list.
import { createHash } from 'node:crypto';
import { anAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { TellAlarms } from './watch-chores.ts';

const MAX_NAMED = 10;

export function createTellOutside(
  alarms: Pick<ConditionStore, 'raise'>,
  clock: Clock,
  tell: TellAlarms,
): (target: string, outside: readonly string[]) => Promise<void> {
  return async (target, outside) => {
    const digest = createHash('sha256').update(JSON.stringify(outside)).digest('hex').slice(0, 12);
    const rest = outside.length - MAX_NAMED;
    const names = outside.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
    const message = `in the database of the target ${target}, this looks personal and is not in the plan: ${names}; list it, or say under "ignore" why not ("unwrite target check ${target}" explains each)`;
    tell(
      await alarms.raise([
        anAlarm('outside_plan', `${target} ${digest}`, message, clock(), { target }),
      ]),
    );
  };
}
