// Makes the proofs for controllers and witnesses. Each is verified before it is given out, because stored
// hashes may have been changed.
import { createHash } from 'node:crypto';
import {
  type AuditProofs,
  type HeadDocument,
  NoProof,
} from '../../domain/audit/proof-documents.ts';
import type { AuditTree, HeadEnd, VerifySignature } from '../../domain/audit/proof-ports.ts';
import {
  type GivenReceipt,
  ReceiptRefused,
  type ReceiptStore,
} from '../../domain/receipt/receipt.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import { isOurHead, newestOwnHead } from '../authentic.ts';
import { hex, treeSize } from '../chain.ts';
import { signedHead } from '../export/shapes.ts';
import { consistencyPath } from '../tree/merkle.ts';
import { nodesOf, TreeDamaged } from '../tree/tiles.ts';
import { isConsistent } from '../tree/verify-paths.ts';
import { inclusionShape } from './prove-receipt.ts';
import { openRowProver } from './prove-rows.ts';

const NO_HEAD = 'The audit log has no head yet; there is one within seconds of the first row';
const NOT_KEPT =
  'The hashes for this proof are not kept any more: the older head is from before retention.records';

export interface ProofSources {
  readonly tree: AuditTree;
  readonly receipts: Pick<ReceiptStore, 'given' | 'signedRows'>;
  readonly verifySignature: VerifySignature;
}

export function createAuditProofs({ tree, receipts, verifySignature }: ProofSources): AuditProofs {
  async function receiptsOf(request: RequestKey): Promise<readonly GivenReceipt[]> {
    try {
      return await receipts.given(request);
    } catch (error) {
      if (error instanceof ReceiptRefused) throw new NoProof(error.message);
      throw error;
    }
  }

  async function ownHead(headNo: number): Promise<HeadEnd> {
    const head = await tree.head(headNo);
    if (head !== undefined && isOurHead(head, verifySignature)) return head;
    throw new NoProof(`There is no head ${headNo}`);
  }

  async function newest(): Promise<HeadEnd> {
    const head = await newestOwnHead(tree, verifySignature);
    if (head !== undefined) return head;
    throw new NoProof(NO_HEAD);
  }

  async function pathBetween(from: HeadEnd, to: HeadEnd): Promise<Uint8Array[]> {
    const { treeFirst } = to;
    if (treeFirst !== from.treeFirst || treeSize(from) > treeSize(to)) {
      throw new NoProof(`Head ${to.headNo} does not continue the tree of head ${from.headNo}`);
    }
    const [first, second] = [stateOf(from), stateOf(to)];
    try {
      const read = nodesOf((level, tileNo) => tree.tile(treeFirst, level, tileNo));
      const path = await consistencyPath(read, first.size, second.size);
      if (isConsistent(first, second, path)) return path;
    } catch (error) {
      if (!(error instanceof TreeDamaged)) throw error;
    }
    throw new NoProof(NOT_KEPT);
  }

  return {
    newestHead: async () => headDocument(await newest()),
    async consistency(fromHeadNo, toHeadNo) {
      const from = await ownHead(fromHeadNo);
      const to = toHeadNo === undefined ? await newest() : await ownHead(toHeadNo);
      const path = await pathBetween(from, to);
      return {
        document: 'unwrite audit consistency',
        from: headDocument(from),
        to: headDocument(to),
        path: path.map(hex),
      };
    },
    async receipt(request, receiptNo) {
      const { document } = (await receiptsOf(request))[receiptNo - 1] ?? {};
      if (document === undefined) throw new NoProof(`There is no receipt ${receiptNo}`);
      const sha256 = createHash('sha256').update(document).digest('hex');
      const prover = await openRowProver(tree, verifySignature);
      for (const row of await receipts.signedRows(request)) {
        if (!row.detail?.includes(sha256)) continue;
        const covered = await prover.prove(row);
        if (covered === 'not yet') {
          throw new NoProof('No head covers the receipt yet; one does within seconds');
        }
        const inclusion = covered === 'changed' ? undefined : await prover.inclusionOf(row);
        if (inclusion === undefined || prover.head === undefined) break;
        return {
          document: 'unwrite receipt proof',
          receipt_sha256: sha256,
          head: headDocument(prover.head),
          inclusion: inclusionShape(inclusion),
        };
      }
      throw new NoProof('The audit log has no row of this receipt that could be proven');
    },
  };
}

const stateOf = (head: HeadEnd) => ({ size: treeSize(head), root: head.rowsHash });

export const headDocument = (head: HeadEnd): HeadDocument => ({
  document: 'unwrite audit head',
  ...signedHead(head),
});
