// Makes the receipts that are due: soon after completion, or earlier if one is requested. None is signed if its
// evidence contradicts the audit log.
import type { ProofSigner } from '../domain/audit/proof-ports.ts';
import {
  type GivenReceipt,
  type NewReceipt,
  type ProveReceipt,
  type ReceiptDigests,
  type ReceiptFacts,
  type ReceiptProof,
  ReceiptRefused,
  type ReceiptStore,
  type RefusedReceipt,
} from '../domain/receipt/receipt.ts';
import type { RequestKey } from '../domain/request/request.ts';
import { hashDocument, signReceipt } from './canonical.ts';
import { makeFullReceipt } from './make-full-receipt.ts';
import { makeReceipt } from './make-receipt.ts';

/** One transaction: short enough that it does not delay other writers. */
const AT_ONCE = 100;
/** How often to seal for one receipt that a caller waits for. */
const MAX_SEALS = 5;

export interface IssueParts {
  readonly store: ReceiptStore;
  readonly signer: ProofSigner;
  readonly domain: string;
  /** The store is that of a sandbox. */
  readonly isSandbox?: boolean;
  /** Reads the log as it is now, for several receipts that are signed together. */
  readonly openProver: (now: number) => Promise<ProveReceipt>;
  /** Makes a head that covers everything in the log. */
  readonly seal: (now: number) => Promise<unknown>;
  readonly refused: (refused: readonly RefusedReceipt[], now: number) => Promise<void>;
}

type Proven = Extract<ReceiptProof, { outcome: 'proven' }>;

interface Judged {
  readonly receipts: readonly NewReceipt[];
  readonly refused: readonly RefusedReceipt[];
  /** How many state something that no head covers yet. */
  readonly notYet: number;
  /** Requests with nothing to state. */
  readonly others: readonly number[];
}

interface Issued {
  /** How many were signed, refused, or have nothing to state. */
  readonly done: number;
  readonly refused: readonly RefusedReceipt[];
  /** How many state something that no head covers yet. */
  readonly notYet: number;
}

export function createIssueReceipts(parts: IssueParts) {
  const { store, signer, domain, isSandbox = false } = parts;

  function sign(facts: ReceiptFacts, lastTaskNo: number, proof: Proven, now: number): NewReceipt {
    const { previous } = facts;
    const signing = { domain, isSandbox, keyId: signer.keyId, now, proof };
    const full = makeFullReceipt(facts, signing);
    const fullDocument = signReceipt(full, signer);
    const fullSha256 = hashDocument(fullDocument);
    const before = previous === null ? null : hashDocument(previous.document);
    const document = signReceipt(makeReceipt(full, fullSha256, before), signer);
    return {
      requestNo: facts.requestNo,
      controllerId: facts.controllerId,
      subjectRequestId: facts.subjectRequestId,
      receiptNo: full.receipt_no,
      lastTaskNo,
      document,
      fullDocument,
      sha256: hashDocument(document),
      fullSha256,
    };
  }

  async function judge(requestNos: readonly number[], now: number): Promise<Judged> {
    const prove = await parts.openProver(now);
    const receipts: NewReceipt[] = [];
    const refused: RefusedReceipt[] = [];
    let notYet = 0;
    const others = new Set(requestNos);
    for (const facts of await store.facts(requestNos)) {
      const lastTaskNo = facts.tasks.at(-1)?.taskNo;
      const { requestNo, controllerId, subjectRequestId, previous } = facts;
      if (lastTaskNo === undefined && previous !== null) continue;
      const receiptNo = (previous?.receiptNo ?? 0) + 1;
      const proof = await prove(facts, receiptNo, previous && digestsOf(previous));
      // A request without tasks and without a receipt was never completed, unless its rows were cut because
      // of their age.
      if (lastTaskNo === undefined && proof.outcome === 'proven') continue;
      others.delete(requestNo);
      if (proof.outcome === 'not yet') notYet++;
      if (lastTaskNo !== undefined && proof.outcome === 'proven') {
        receipts.push(sign(facts, lastTaskNo, proof, now));
      }
      if (proof.outcome === 'refused') {
        refused.push({ requestNo, controllerId, subjectRequestId, reason: proof.reason });
      }
    }
    return { receipts, refused, notYet, others: [...others] };
  }

  /**
   * Refused receipts are checked a second time: another node may have cut old rows of the log while it was
   * read.
   */
  async function judgeTwice(requestNos: readonly number[], now: number): Promise<Judged> {
    const first = await judge(requestNos, now);
    if (first.refused.length === 0) return first;
    const again = await judge(
      first.refused.map(({ requestNo }) => requestNo),
      now,
    );
    return {
      receipts: [...first.receipts, ...again.receipts],
      refused: again.refused,
      notYet: first.notYet + again.notYet,
      others: [...first.others, ...again.others],
    };
  }

  async function issue(requestNos: readonly number[], now: number): Promise<Issued> {
    if (requestNos.length === 0) return { done: 0, refused: [], notYet: 0 };
    const { receipts, refused, notYet, others } = await judgeTwice(requestNos, now);
    if (others.length > 0) await store.nothingDue(others, now);
    await store.add(receipts, now);
    if (refused.length > 0) await parts.refused(await store.refuse(refused, now), now);
    return { done: receipts.length + refused.length + others.length, refused, notYet };
  }

  /**
   * Tries several times: another node may seal at the same moment and may have read the log before our rows
   * were written.
   */
  async function sealAndIssue(requestNo: number, now: number): Promise<Issued> {
    for (let tries = 1; ; tries++) {
      await parts.seal(now);
      const issued = await issue([requestNo], now);
      if (issued.notYet === 0 || tries === MAX_SEALS) return issued;
    }
  }

  return {
    /** Makes some of the due receipts; returns whether there may be more. */
    async issueSome(now: number): Promise<boolean> {
      const due = await store.due(AT_ONCE);
      const { done } = await issue(due, now);
      return due.length === AT_ONCE && done > 0;
    },
    /** All receipts of a request, including one that is due. */
    async receiptsOf(request: RequestKey, now: number): Promise<GivenReceipt[]> {
      const due = await store.dueOf(request);
      if (due !== undefined) {
        const { refused } = await sealAndIssue(due, now);
        const [one] = refused;
        if (one !== undefined) throw new ReceiptRefused(one.reason);
      }
      return store.given(request);
    },
  };
}

function digestsOf({ document, fullDocument }: GivenReceipt): ReceiptDigests {
  return { sha256: hashDocument(document), fullSha256: hashDocument(fullDocument) };
}

export type IssueReceipts = ReturnType<typeof createIssueReceipts>;
