// Finds completed requests that are marked as having a receipt and have none: someone else wrote that mark. They
// become due again; if the audit log does not say that they were completed, the receipt is refused with an alarm.
// Runs once an hour, with the lowest priority.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { ReceiptStore } from '../domain/receipt/receipt.ts';

const EVERY_MS = 3_600_000;
const PAGE = 2000;
const MAX_PAGES = 5;

export function createLostReceiptsDue(): DueChore {
  let looked: number | undefined;
  return {
    name: 'looking for requests without a receipt',
    async isDue(now) {
      looked ??= now;
      if (Math.abs(now - looked) < EVERY_MS) return false;
      looked = now;
      return true;
    },
  };
}

export function createLostReceiptsChore(store: Pick<ReceiptStore, 'reopenLost'>): Chore {
  const due = createLostReceiptsDue();
  let after: number | undefined;
  return {
    name: due.name,
    isDue: async (now) => after !== undefined || due.isDue(now),
    async run() {
      after ??= 0;
      for (let page = 0; page < MAX_PAGES && after !== undefined; page++) {
        after = await store.reopenLost(after, PAGE);
        await nextTurn();
      }
    },
  };
}
