// Surgery: preview, intent, guard, erase, verify, evidence. Every task of the batch gets an outcome of
// its own. May run twice for the same batch; the attempt number decides whose result counts.
import { type Connector, TargetDown } from '../domain/connector.ts';
import type { FulfilmentStore, LeasedBatch } from '../domain/fulfilment-ports.ts';
import type { Clock } from '../domain/ports.ts';
import type { TargetConfig } from '../domain/target.ts';
import type { TaskOutcome } from '../domain/task.ts';
import type { Backoff } from './backoff.ts';
import { createEraseBatch, type EraseParts } from './erase-batch.ts';
import { createResolveBatch, type ResolveParts } from './resolve-batch.ts';

export interface BatchResult {
  /** The target as a whole could not be worked with. */
  readonly down: TargetDown | undefined;
  readonly outcomes: readonly TaskOutcome[];
}

export interface RunBatchParts extends EraseParts, ResolveParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly connectorOf: (target: TargetConfig) => Promise<Connector>;
}

export type RunBatch = (
  batch: LeasedBatch,
  /** undefined: it is not in the configuration any more. */
  target: TargetConfig | undefined,
) => Promise<BatchResult>;

export function createRunBatch(parts: RunBatchParts): RunBatch {
  const { store, clock, backoff, connectorOf } = parts;
  const eraseBatch = createEraseBatch(parts);
  const resolveBatch = createResolveBatch(parts);

  return async (batch, target) => {
    const outcomes = new Map<number, TaskOutcome>();
    let derived: Awaited<ReturnType<typeof resolveBatch>> = [];
    let down: TargetDown | undefined;
    if (target === undefined || target.connector === 'manual') {
      for (const { taskNo } of batch.tasks) outcomes.set(taskNo, removed(taskNo, batch.target));
    } else {
      try {
        const connector = await connectorOf(target);
        if (batch.phase === 'erase') await eraseBatch(batch, target, connector, outcomes);
        else derived = await resolveBatch(batch, connector, outcomes);
      } catch (error) {
        if (!(error instanceof TargetDown)) throw error;
        down = error;
      }
    }
    // Those without an outcome could not be worked on because of their target.
    const dueTime = clock();
    const { code, message } = down ?? {
      code: 'no_outcome',
      message: 'the connector gave no answer',
    };
    const all = batch.tasks.map(
      ({ taskNo, attempts }): TaskOutcome =>
        outcomes.get(taskNo) ??
        (down === undefined
          ? {
              taskNo,
              outcome: 'failed',
              code,
              detail: message,
              dueTime: dueTime + backoff.retry(attempts),
            }
          : { taskNo, outcome: 'waiting', code, detail: message, dueTime }),
    );
    await store.recordOutcomes(batch, all, derived, clock());
    return { down, outcomes: all };
  };
}

function removed(taskNo: number, target: string): TaskOutcome {
  const detail = `the target ${target} is not in the configuration any more`;
  return { taskNo, outcome: 'held', reason: 'target_removed', detail, previewedRows: null };
}
