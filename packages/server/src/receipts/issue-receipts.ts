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
  function issue(requestNo: number, now: number): NewReceipt | undefined {
    const facts = store.facts(requestNo);
    const lastTaskNo = facts?.tasks.at(-1)?.taskNo;
    if (facts === undefined || lastTaskNo === undefined) {
      store.nothingDue(requestNo, now);
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
    issueSome(now: number): boolean {
      const due = store.due(AT_ONCE);
      const receipts = due.flatMap((requestNo) => issue(requestNo, now) ?? []);
      store.add(receipts, now);
      return due.length === AT_ONCE;
    },
    /** The documents of a request, the one that is due among them. */
    documentsOf(request: RequestKey, now: number): string[] {
      const due = store.dueOf(request);
      const receipt = due === undefined ? undefined : issue(due, now);
      if (receipt !== undefined) store.add([receipt], now);
      return store.documents(request);
    },
  };
}

export type IssueReceipts = ReturnType<typeof createIssueReceipts>;
