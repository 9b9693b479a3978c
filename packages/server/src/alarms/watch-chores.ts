import type { NewAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionLimits, ConditionStore, WatchStore } from '../domain/alarm/alarm-ports.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import { lookAtDeadlines } from './look-at-deadlines.ts';

export type TellAlarms = (raised: readonly NewAlarm[]) => void;

export function createDeadlinesDue(store: Pick<WatchStore, 'hasToLook'>): DueChore {
  return { name: 'watching deadlines', isDue: store.hasToLook };
}

export function createDeadlinesChore(store: WatchStore, tell: TellAlarms): Chore {
  return {
    ...createDeadlinesDue(store),
    async run(now) {
      tell(await store.look(now, (request) => lookAtDeadlines(request, now)));
    },
  };
}

export function createConditionsDue(
  store: Pick<ConditionStore, 'conditions'>,
  limits: ConditionLimits,
  everyMs: number,
): DueChore {
  let asked = Number.NEGATIVE_INFINITY;
  return {
    name: 'watching daily limits and targets',
    async isDue(now) {
      if (Math.abs(now - asked) < everyMs) return false;
      asked = now;
      return (await store.conditions(limits, now)).length > 0;
    },
  };
}

export function createConditionsChore(
  store: ConditionStore,
  limits: ConditionLimits,
  everyMs: number,
  tell: TellAlarms,
): Chore {
  return {
    ...createConditionsDue(store, limits, everyMs),
    async run(now) {
      tell(await store.raise(await store.conditions(limits, now)));
    },
  };
}
