// Cuts rows of the audit log because of their age, head by head from the beginning, with a signed record. Rows
// that are missing without such a record were removed by someone else.
import type {
  AuditHead,
  AuditHeadStore,
  ProofSigner,
  VerifySignature,
} from '../domain/audit/proof-ports.ts';
import { isOurCut, isOurHead } from './authentic.ts';
import { hashCut, treeSize } from './chain.ts';
import { firstTileWith } from './tree/tiles.ts';

/** One transaction: short enough that it does not delay other writers. */
const MAX_HEADS = 50;
const MAX_ROWS = 20_000;

export interface CutAudit {
  readonly heads: number;
  readonly rows: number;
  /** Something that is not ours, or not as we signed it: nothing is cut from there on. */
  readonly damage: string | undefined;
}

export interface CutParts {
  readonly store: AuditHeadStore;
  readonly signer: ProofSigner;
  readonly verifySignature: VerifySignature;
  readonly retentionMs: number;
}

export function createCutAudit({ store, signer, verifySignature, retentionMs }: CutParts) {
  /** Cuts the rows of some heads; returns how many heads, 0 if there are no more. */
  return async (now: number): Promise<CutAudit> => {
    const record = await store.cut();
    if (record !== undefined && !isOurCut(record, verifySignature)) {
      return { heads: 0, rows: 0, damage: 'the record of what was cut is not signed by Unwrite' };
    }
    const before = record?.headNo ?? 0;
    // The newest head keeps its rows, however old they are: numbering continues from the last row.
    const newest = (await store.newestHead())?.headNo ?? 0;
    const after = (await store.heads(before, MAX_HEADS)).filter(({ headNo }) => headNo < newest);
    const isOld = ({ time }: AuditHead) => time <= now - retentionMs;
    if (!after.some(isOld)) return { heads: 0, rows: 0, damage: undefined };
    const own = prefixOf(after, (head, i) => {
      return head.headNo === before + i + 1 && isOurHead(head, verifySignature);
    });
    const others = after.slice(own.length);
    const [other] = others;
    const damage =
      other !== undefined && others.some(isOld)
        ? `head ${other.headNo} of the audit log was changed since it was signed`
        : undefined;
    // An old head waits for a younger one before it: the clock was ahead, or was set back.
    const heads = fewRows(prefixOf(own, isOld));
    const last = heads.at(-1);
    if (last === undefined) return { heads: 0, rows: 0, damage };
    const unsigned = {
      headNo: last.headNo,
      headHash: last.hash,
      lastAuditNo: last.lastAuditNo,
      headTime: last.time,
      retentionMs,
      time: now,
      keyId: signer.keyId,
    };
    const cut = { ...unsigned, signature: signer.sign(hashCut(unsigned)) };
    const tiles = { treeFirst: last.treeFirst, before: firstTileWith(treeSize(last)) };
    return { heads: heads.length, rows: await store.cutRows(cut, tiles), damage };
  };
}

function prefixOf<T>(items: readonly T[], isIn: (item: T, index: number) => boolean): T[] {
  const end = items.findIndex((item, index) => !isIn(item, index));
  return items.slice(0, end === -1 ? items.length : end);
}

/** The first heads with few rows together, but at least one. */
function fewRows(heads: readonly AuditHead[]): AuditHead[] {
  const first = heads[0]?.firstAuditNo ?? 0;
  return prefixOf(heads, (head, i) => i === 0 || head.lastAuditNo - first < MAX_ROWS);
}
