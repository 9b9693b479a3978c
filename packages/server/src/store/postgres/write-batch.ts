// The one write path of the four endpoints: creates and cancels, each with its own outcome. Those of one batch
// are written together, as far as their order allows.
import type { Clock } from '../../domain/clock.ts';
import { keyText } from '../../domain/request/same-request.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import type { SealIdentities, WriteOp, WriteOutcome } from '../write-ops.ts';
import { prepareCancelRequests } from './cancel-request.ts';
import { prepareCreateRequests } from './create-request.ts';
import type { Database } from './database.ts';
import { nameOf } from './failures.ts';

/** The outcome of an op. If one op fails, others of the same batch may have succeeded. */
export type Written = WriteOutcome | StoreUnavailable;

export type WriteBatch = (ops: readonly WriteOp[]) => Promise<Written[]>;

type Write<Item> = (items: readonly Item[], receivedTime: number) => Promise<Written[]>;

export function createWriteBatch(
  database: Database,
  seal: SealIdentities,
  clock: Clock,
): WriteBatch {
  const create = prepareCreateRequests(database, seal);
  const cancel = prepareCancelRequests(database);

  /** Tries all ops together, and bisects after a failure, so that only the failing op fails. */
  async function write<Item>(items: readonly Item[], atOnce: Write<Item>): Promise<Written[]> {
    if (items.length === 0) return [];
    try {
      // Contract: taken when the transaction that stores the request begins.
      return await atOnce(items, clock());
    } catch (error) {
      if (error instanceof StoreUnavailable) return items.map(() => error);
      if (items.length === 1) return [notWritten(error)];
      const half = Math.ceil(items.length / 2);
      return [
        ...(await write(items.slice(0, half), atOnce)),
        ...(await write(items.slice(half), atOnce)),
      ];
    }
  }

  async function writeStretch(ops: readonly WriteOp[]): Promise<Written[]> {
    const [created, cancelled] = await Promise.all([
      write(
        ops.flatMap((op) => (op.op === 'create' ? [op.request] : [])),
        create,
      ),
      write(
        ops.flatMap((op) => (op.op === 'cancel' ? [op.command] : [])),
        cancel,
      ),
    ]);
    let creates = 0;
    let cancels = 0;
    return ops.map(({ op }) =>
      op === 'create' ? (created[creates++] as Written) : (cancelled[cancels++] as Written),
    );
  }

  return async (ops) => {
    const written: Written[] = [];
    for (const stretch of stretchesOf(ops)) written.push(...(await writeStretch(stretch)));
    return written;
  };
}

/**
 * Within each part no request is both created and cancelled, so all its creates can be written together,
 * and all its cancels.
 */
function stretchesOf(ops: readonly WriteOp[]): readonly (readonly WriteOp[])[] {
  // By far the most common batch.
  if (ops.every(({ op }) => op === 'create')) return [ops];
  const stretches: WriteOp[][] = [];
  let stretch: WriteOp[] = [];
  let kinds = new Map<string, WriteOp['op']>();
  for (const op of ops) {
    const key = keyText(op.op === 'create' ? op.request : op.command);
    const kind = kinds.get(key);
    if (kind !== undefined && kind !== op.op) {
      stretches.push(stretch);
      stretch = [];
      kinds = new Map();
    }
    stretch.push(op);
    kinds.set(key, op.op);
  }
  stretches.push(stretch);
  return stretches;
}

/** The server's error code, never its message, which may quote data. */
function notWritten(error: unknown): StoreUnavailable {
  return new StoreUnavailable(`the store could not be written (${nameOf(error)})`, {
    cause: error,
  });
}
