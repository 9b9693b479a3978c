// Makes the receipts that are due: soon after completion, or earlier when one is requested.
import type { ProofSigner } from '../domain/audit/proof-ports.ts';
import type { NewReceipt, ReceiptFacts, ReceiptStore } from '../domain/receipt/receipt.ts';
import type { RequestKey } from '../domain/request/request.ts';
import { hashDocument, signReceipt } from './canonical.ts';
import { makeReceipt } from './make-receipt.ts';

/** One transaction: short enough that it does not delay other writers. */
const AT_ONCE = 100;

export interface IssueParts {
  readonly store: ReceiptStore;
  readonly signer: ProofSigner;
  readonly domain: string;
}

export function createIssueReceipts({ store, signer, domain }: IssueParts) {
  function sign(facts: ReceiptFacts, lastTaskNo: number, now: number): NewReceipt {
    const unsigned = makeReceipt(facts, { domain, keyId: signer.keyId, now });
    const document = signReceipt(unsigned, signer);
    return {
      requestNo: facts.requestNo,
      controllerId: facts.controllerId,
      subjectRequestId: facts.subjectRequestId,
      receiptNo: unsigned.receipt_no,
      lastTaskNo,
      document,
      sha256: hashDocument(document),
    };
  }

  async function issue(requestNos: readonly number[], now: number): Promise<void> {
    const receipts = new Map<number, NewReceipt>();
    for (const facts of await store.facts(requestNos)) {
      const lastTaskNo = facts.tasks.at(-1)?.taskNo;
      if (lastTaskNo !== undefined) receipts.set(facts.requestNo, sign(facts, lastTaskNo, now));
    }
    const others = requestNos.filter((requestNo) => !receipts.has(requestNo));
    if (others.length > 0) await store.nothingDue(others, now);
    await store.add([...receipts.values()], now);
  }

  return {
    /** Some of those that are due; answers whether there may be more. */
    async issueSome(now: number): Promise<boolean> {
      const due = await store.due(AT_ONCE);
      await issue(due, now);
      return due.length === AT_ONCE;
    },
    /** The documents of a request, the one that is due among them. */
    async documentsOf(request: RequestKey, now: number): Promise<string[]> {
      const due = await store.dueOf(request);
      if (due !== undefined) await issue([due], now);
      return store.documents(request);
    },
  };
}

export type IssueReceipts = ReturnType<typeof createIssueReceipts>;
