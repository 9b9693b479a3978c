// Records whose time is over: requests, evidence, receipts, rows of the audit log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { ForgettingStore } from '../domain/request/forgetting-ports.ts';

const AT_ONCE = 250;
const MOST_CHUNKS = 20;

type Due = Pick<ForgettingStore, 'anyToForget' | 'anyAuditToCut'>;

export function createForgetDue(store: Due, retentionMs: number): DueChore {
  return {
    name: 'forgetting old records',
    isDue: async (now) =>
      (await store.anyToForget(now - retentionMs)) ||
      (await store.anyAuditToCut(now - retentionMs)),
  };
}

export function createForgetChore(
  store: ForgettingStore,
  retentionMs: number,
  /** The write-ahead log must be cut: it still holds what was deleted. */
  shredded: () => void,
): Chore {
  const due = createForgetDue(store, retentionMs);

  async function inChunks(work: () => Promise<number>): Promise<number> {
    let total = 0;
    for (let chunk = 0; chunk < MOST_CHUNKS; chunk++) {
      const count = await work();
      if (count === 0) break;
      total += count;
      await nextTurn();
    }
    return total;
  }

  return {
    ...due,
    async run(now) {
      const until = now - retentionMs;
      const requests = await inChunks(() => store.forget(until, AT_ONCE));
      const rows = await inChunks(() => store.cutAudit(until));
      await store.recordForgotten({ requests, rows }, now);
      shredded();
      if (!(await due.isDue(now))) await store.sweep(until);
    },
  };
}
