// One batch: erase, verify, evidence. Every task of the batch gets an outcome of
// its own. May run twice for the same batch; the attempt number decides whose result counts.

import type { Clock } from '../../domain/clock.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import { type Connector, NO_ANSWER, TargetDown } from '../../domain/target/connector.ts';
import type { ManualTargetConfig, TargetConfig } from '../../domain/target/target.ts';
import type { Backoff } from '../../domain/task/backoff.ts';
import {
  Fenced,
  type FulfilmentStore,
  type LeasedBatch,
  type LeasedTask,
  type NewIntent,
} from '../../domain/task/fulfilment-ports.ts';
import type { TaskOutcome } from '../../domain/task/task.ts';
import { type Reported, withReported } from '../evidence/reported-rows.ts';
import type { Gate } from '../gate/gate.ts';
import { createEraseBatch, type EraseParts } from './erase-batch.ts';
import { BY_HAND } from './hold-words.ts';
import { isForController, notForController } from './not-for-controller.ts';
import { createResolveBatch, type ResolveParts } from './resolve-batch.ts';

export interface BatchResult {
  /** Set if the target as a whole could not be used. */
  readonly down: TargetDown | undefined;
  readonly outcomes: readonly TaskOutcome[];
}

export interface RunBatchParts extends EraseParts, ResolveParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly connectorOf: (target: TargetConfig) => Promise<Connector>;
  /** Called when the batch does not need the connector any more. */
  readonly release: (connector: Connector) => void;
  readonly gate: Gate;
}

export type RunBatch = (
  batch: LeasedBatch,
  /** Undefined if it is not in the configuration any more. */
  target: TargetConfig | undefined,
) => Promise<BatchResult>;

export function createRunBatch(parts: RunBatchParts): RunBatch {
  const { store, clock, backoff, connectorOf, release, gate } = parts;
  const eraseBatch = createEraseBatch(parts);
  const resolveBatch = createResolveBatch(parts);

  return async (batch, target) => {
    const outcomes = new Map<number, TaskOutcome>();
    const reported: Reported = new Map();
    let derived: Awaited<ReturnType<typeof resolveBatch>> = [];
    const intents: NewIntent[] = [];
    let down: TargetDown | undefined;
    if (target === undefined || target.connector === 'manual') {
      for (const { taskNo } of batch.tasks) {
        outcomes.set(taskNo, forAPerson(taskNo, batch.target, target));
      }
    } else {
      const tasks = batch.tasks.filter((task) => isForController(target, task));
      for (const task of batch.tasks.filter((one) => !tasks.includes(one))) {
        outcomes.set(task.taskNo, notForController(task, batch.target, parts));
      }
      const own = { ...batch, tasks };
      let connector: Connector | undefined;
      try {
        if (tasks.length > 0) {
          connector = await connectorOf(target);
          const accepted = await gate.pass(target, connector);
          if (batch.phase === 'erase')
            await eraseBatch({
              batch: own,
              target,
              connector,
              accepted,
              outcomes,
              reported,
              intents,
            });
          else derived = await resolveBatch(own, connector, outcomes);
        }
      } catch (error) {
        // Neither is the target's fault. Without a store nothing can be recorded: the lease expires.
        if (error instanceof Fenced || error instanceof StoreUnavailable) throw error;
        gate.forget(target.name);
        down = error instanceof TargetDown ? error : unexpected(error);
      } finally {
        if (connector !== undefined) release(connector);
      }
    }
    const now = clock();
    const outcomeOf = ({ taskNo, attempts }: LeasedTask): TaskOutcome => {
      const outcome = outcomes.get(taskNo);
      if (outcome !== undefined) return outcome;
      if (down === undefined) {
        const dueTime = now + backoff.retry(attempts);
        return { ...NO_ANSWER, taskNo, dueTime };
      }
      // The target as a whole failed: the circuit, not the task, decides when to retry.
      const { code, message: detail } = down;
      return { taskNo, outcome: 'waiting', code, detail, dueTime: now };
    };
    const all = batch.tasks.map((task) => withReported(outcomeOf(task), reported.get(task.taskNo)));
    await store.recordOutcomes(batch, all, derived, clock(), intents);
    return { down, outcomes: all };
  };
}

/** Thrown again, the error would pass the batch from worker to worker without being reported. */
function unexpected(error: unknown): TargetDown {
  const name = error instanceof TypeError || error instanceof RangeError ? error.name : 'unknown';
  return new TargetDown(
    'unexpected_error',
    `the batch failed unexpectedly (${name}); check what the connector answers`,
  );
}

function forAPerson(
  taskNo: number,
  target: string,
  now: ManualTargetConfig | undefined,
): TaskOutcome {
  const held = { taskNo, outcome: 'held', previewedRows: null } as const;
  if (now !== undefined) {
    const detail = now.instructions ?? BY_HAND;
    return { ...held, reason: 'manual', detail };
  }
  const detail = `the target ${target} is not in the configuration any more; put it back, reload, then release; or retain the task`;
  return { ...held, reason: 'target_removed', detail };
}
