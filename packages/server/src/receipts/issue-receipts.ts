// Makes the receipts that are due, soon after the completion or when somebody asks before.
import type { ProofSigner } from '../domain/proof-ports.ts';
import type { NewReceipt, ReceiptStore } from '../domain/receipt.ts';
import type { RequestKey } from '../domain/request.ts';
import { hashDocument, signReceipt } from './canonical.ts';
import { makeReceipt } from './make-receipt.ts';

/** One transaction: short enough that nobody waits for it. */
const AT_ONCE = 100;

export interface IssueParts {
  readonly store: ReceiptStore;
  readonly signer: ProofSigner;
  readonly domain: string;
}

export function createIssueReceipts({ store, signer, domain }: IssueParts) {
  async function issue(requestNo: number, now: number): Promise<NewReceipt | undefined> {
    const facts = await store.facts(requestNo);
    const lastTaskNo = facts?.tasks.at(-1)?.taskNo;
    if (facts === undefined || lastTaskNo === undefined) {
      await store.nothingDue(requestNo, now);
      return undefined;
    }
    const unsigned = makeReceipt(facts, { domain, keyId: signer.keyId, now });
    const document = signReceipt(unsigned, signer);
    return {
      requestNo,
      controllerId: facts.controllerId,
      subjectRequestId: facts.subjectRequestId,
      receiptNo: unsigned.receipt_no,
      lastTaskNo,
      document,
      sha256: hashDocument(document),
    };
  }

  return {
    /** Some of those that are due; answers whether there may be more. */
    async issueSome(now: number): Promise<boolean> {
      const due = await store.due(AT_ONCE);
      const receipts: NewReceipt[] = [];
      for (const requestNo of due) {
        const receipt = await issue(requestNo, now);
        if (receipt !== undefined) receipts.push(receipt);
      }
      await store.add(receipts, now);
      return due.length === AT_ONCE;
    },
    /** The documents of a request, the one that is due among them. */
    async documentsOf(request: RequestKey, now: number): Promise<string[]> {
      const due = await store.dueOf(request);
      const receipt = due === undefined ? undefined : await issue(due, now);
      if (receipt !== undefined) await store.add([receipt], now);
      return store.documents(request);
    },
  };
}

export type IssueReceipts = ReturnType<typeof createIssueReceipts>;
