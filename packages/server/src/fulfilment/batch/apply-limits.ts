// The last check of pauses, legal holds and limits before anything is changed: an earlier decision may be out of date.

import type { Clock } from '../../domain/clock.ts';
import { dayOf, startOfDay } from '../../domain/limit/day.ts';
import { type Counts, totalOf } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { PAUSED } from '../../domain/task/attention.ts';
import type {
  FulfilmentStore,
  LeasedBatch,
  LeasedTask,
} from '../../domain/task/fulfilment-ports.ts';
import type { TaskOutcome } from '../../domain/task/task.ts';

interface AboutToErase {
  readonly task: LeasedTask;
  readonly intended: { readonly counts: Counts };
}

/** Returns the cases that may erase now. The outcomes of the others say what they wait for. */
export function createApplyLimits(store: Pick<FulfilmentStore, 'mayErase'>, clock: Clock) {
  return async <T extends AboutToErase>(
    batch: LeasedBatch,
    target: TargetConfig,
    cases: readonly T[],
    outcomes: Map<number, TaskOutcome>,
    /** By task, made with all keys. */
    digests: ReadonlyMap<number, readonly Uint8Array[]>,
  ): Promise<readonly T[]> => {
    const now = clock();
    const reservations = cases.map(({ task, intended }) => ({
      taskNo: task.taskNo,
      digests: digests.get(task.taskNo) ?? [],
      rows: totalOf(intended.counts),
      isReleased: task.allowedRows !== null,
    }));
    const { paused, onHold, tomorrow } = await store.mayErase(
      batch,
      reservations,
      target.maxRowsPerDay,
      now,
    );
    return cases.filter(({ task: { taskNo } }) => {
      if (paused) {
        const paused = {
          outcome: 'waiting',
          code: 'paused',
          detail: PAUSED,
          dueTime: now,
        } as const;
        outcomes.set(taskNo, { taskNo, ...paused });
        return false;
      }
      if (onHold.has(taskNo)) {
        outcomes.set(taskNo, { taskNo, outcome: 'waiting', ...ON_HOLD, dueTime: now });
        return false;
      }
      if (!tomorrow.has(taskNo)) return true;
      const detail = `max_rows_per_day (${target.maxRowsPerDay}) does not allow it today`;
      const dueTime = startOfDay(dayOf(now) + 1);
      outcomes.set(taskNo, { taskNo, outcome: 'waiting', code: 'daily_cap', detail, dueTime });
      return false;
    });
  };
}

/** The next lease holds it. */
const ON_HOLD = {
  code: 'legal_hold',
  detail: 'a legal hold is on this person or request',
} as const;
