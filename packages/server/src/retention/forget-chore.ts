// Deletes records whose retention has ended: requests, evidence, receipts, rows of the audit log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { ForgettingStore } from '../domain/request/forgetting-ports.ts';

const AT_ONCE = 250;
const MAX_CHUNKS = 20;

type Due = Pick<ForgettingStore, 'anyToForget' | 'anyAuditToCut'>;

export function createForgetDue(store: Due, retentionMs: number): DueChore {
  return {
    name: 'forgetting old records',
    isDue: async (now) =>
      (await store.anyToForget(now - retentionMs)) ||
      (await store.anyAuditToCut(now - retentionMs)),
  };
}

/** Cuts some old rows of the audit log, with their heads; returns 0 heads if there are no more. */
export type CutSome = (now: number) => Promise<{ readonly heads: number; readonly rows: number }>;

export function createForgetChore(
  store: ForgettingStore,
  cutAudit: CutSome,
  retentionMs: number,
  /** The write-ahead log must be truncated: it still contains the deleted data. */
  shredded: () => void,
  /** Whether the clock can be trusted. */
  mayForget: (now: number) => Promise<boolean> = async () => true,
): Chore {
  async function forgetSome(until: number): Promise<number> {
    let total = 0;
    for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
      const count = await store.forget(until, AT_ONCE);
      if (count === 0) break;
      total += count;
      await nextTurn();
    }
    return total;
  }

  async function cutSome(now: number): Promise<{ heads: number; rows: number }> {
    const total = { heads: 0, rows: 0 };
    for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
      const { heads, rows } = await cutAudit(now);
      if (heads === 0) break;
      total.heads += heads;
      total.rows += rows;
      await nextTurn();
    }
    return total;
  }

  return {
    ...createForgetDue(store, retentionMs),
    async run(now) {
      if (!(await mayForget(now))) return;
      const until = now - retentionMs;
      const requests = await forgetSome(until);
      const { heads, rows } = await cutSome(now);
      if (requests > 0 || heads > 0) {
        await store.recordForgotten({ requests, rows }, now);
        shredded();
      }
      if (!(await store.anyToForget(until))) await store.sweep(until);
    },
  };
}
