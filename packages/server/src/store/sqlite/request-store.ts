import type { DatabaseSync } from 'node:sqlite';
import type { RequestStore } from '../../domain/ports.ts';
import type { CancelOutcome, CreateOutcome } from '../../domain/request.ts';
import { type Coalescer, createCoalescer } from '../coalesce.ts';
import type { Checkpointer } from './checkpointer.ts';
import { createReadStatus } from './read-status.ts';
import type { WriteOp, WriteOutcome } from './write-batch.ts';

export interface SqliteRequestStore extends RequestStore {
  /** Resolves when everything that was accepted is durable. */
  drained(): Promise<void>;
}

export function createRequestStore(
  reader: DatabaseSync,
  write: (ops: WriteOp[]) => Promise<WriteOutcome[]>,
  checkpointer: Pick<Checkpointer, 'wrote' | 'shredded'>,
): SqliteRequestStore {
  async function run(ops: WriteOp[]): Promise<WriteOutcome[]> {
    const outcomes = await write(ops);
    checkpointer.wrote(ops.length);
    if (outcomes.some(({ outcome }) => outcome === 'cancelled')) checkpointer.shredded();
    return outcomes;
  }

  const writes: Coalescer<WriteOp, WriteOutcome> = createCoalescer({
    run,
    // The writer takes all that has arrived into one transaction, so nothing is held back here.
    maxBatch: 64,
    maxInFlight: 256,
    maxWaiting: 20_000,
  });
  return {
    create: (request) => writes.submit({ op: 'create', request }) as Promise<CreateOutcome>,
    cancel: (command) => writes.submit({ op: 'cancel', command }) as Promise<CancelOutcome>,
    read: createReadStatus(reader),
    drained: writes.drained,
  };
}
