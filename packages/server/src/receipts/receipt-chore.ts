import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { IssueReceipts } from './issue-receipts.ts';

const NAME = 'signing receipts';

export function createReceiptsDue(anyDue: () => boolean): DueChore {
  return { name: NAME, isDue: anyDue };
}

export function createReceiptChore(
  anyDue: () => boolean,
  issue: Pick<IssueReceipts, 'issueSome'>,
  sealAudit: (now: number) => void,
): Chore {
  return {
    ...createReceiptsDue(anyDue),
    async run(now) {
      // First, so that the head in the receipts covers what they tell.
      sealAudit(now);
      // Batches and messages are not to wait for thousands of signatures.
      while (issue.issueSome(now)) await nextTurn();
    },
  };
}
