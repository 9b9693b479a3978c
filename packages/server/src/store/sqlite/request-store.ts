import type { DatabaseSync } from 'node:sqlite';
import type { CancelOutcome, CreateOutcome } from '../../domain/request/request.ts';
import type { ServingStore } from '../../domain/store/store.ts';
import { type Coalescer, createCoalescer, type Ran } from '../coalesce.ts';
import { controllerOf, type WriteOp, type WriteOutcome } from '../write-ops.ts';
import type { Checkpointer } from './checkpointer.ts';
import { createReadStatus } from './read-status.ts';

export function createRequestStore(
  reader: DatabaseSync,
  write: (ops: WriteOp[]) => Promise<WriteOutcome[]>,
  checkpointer: Pick<Checkpointer, 'wrote' | 'shredded'>,
  ran?: Ran,
): ServingStore {
  async function run(ops: WriteOp[]): Promise<WriteOutcome[]> {
    const outcomes = await write(ops);
    checkpointer.wrote(ops.length);
    if (outcomes.some(({ outcome }) => outcome === 'cancelled')) checkpointer.shredded();
    return outcomes;
  }

  const writes: Coalescer<WriteOp, WriteOutcome> = createCoalescer({
    run,
    // The writer takes everything that has arrived into one transaction, so batches need not be large.
    maxBatch: 64,
    maxInFlight: 256,
    // Large enough to keep the writer busy, small enough that another controller's request does not wait long.
    maxItemsInFlight: 1024,
    maxWaiting: 20_000,
    shareOf: controllerOf,
    ran,
  });
  return {
    create: (request) => writes.submit({ op: 'create', request }) as Promise<CreateOutcome>,
    cancel: (command) => writes.submit({ op: 'cancel', command }) as Promise<CancelOutcome>,
    read: createReadStatus(reader),
    drained: writes.drained,
  };
}
