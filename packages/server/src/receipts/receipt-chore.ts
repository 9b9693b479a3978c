import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { ReceiptStore } from '../domain/receipt/receipt.ts';
import type { IssueReceipts } from './issue-receipts.ts';

const NAME = 'signing receipts';
/** Other chores, such as sealing the audit log, wait for this one; the next run does the rest. */
const MAX_CHUNKS = 20;

export function createReceiptsDue(anyDue: ReceiptStore['anyDue']): DueChore {
  return { name: NAME, isDue: anyDue };
}

export function createReceiptChore(
  anyDue: ReceiptStore['anyDue'],
  issue: Pick<IssueReceipts, 'issueSome'>,
  sealAudit: (now: number) => Promise<unknown>,
): Chore {
  return {
    ...createReceiptsDue(anyDue),
    async run(now) {
      // Seal first, so that the head in the receipts covers the rows that they are about.
      await sealAudit(now);
      // Batches and messages must not wait for thousands of signatures.
      for (let chunk = 0; chunk < MAX_CHUNKS && (await issue.issueSome(now)); chunk++) {
        await nextTurn();
      }
    },
  };
}
