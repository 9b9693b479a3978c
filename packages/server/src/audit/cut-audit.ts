// Cuts rows of the audit log because of their age, head by head from the beginning, with a signed record. Rows
// that are missing without such a record were removed by someone else.
import type {
  AuditCut,
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
const MAX_STRANGE = 10;

export interface CutAudit {
  readonly heads: number;
  readonly rows: number;
  /** An old head that is not ours, or not as we signed it: nothing is cut from there on. */
  readonly strangeHead: number | undefined;
}

export interface CutParts {
  readonly store: AuditHeadStore;
  readonly signer: ProofSigner;
  readonly verifySignature: VerifySignature;
  readonly retentionMs: number;
}

export function createCutAudit({ store, signer, verifySignature, retentionMs }: CutParts) {
  async function lastCut(now: number): Promise<AuditCut | undefined> {
    for (let n = 0; ; n++) {
      const cut = await store.cut();
      if (cut === undefined || isOurCut(cut, verifySignature)) return cut;
      if (n === MAX_STRANGE) return undefined;
      await store.setCutsAside(cut, now);
    }
  }

  /** Cuts the rows of some heads; returns how many heads, 0 if there are no more. */
  return async (now: number): Promise<CutAudit> => {
    const before = (await lastCut(now))?.headNo ?? 0;
    // The newest head keeps its rows, however old they are: numbering continues from the last row.
    const newest = (await store.newestHead())?.headNo ?? 0;
    const after = (await store.heads(before, MAX_HEADS)).filter(({ headNo }) => headNo < newest);
    const isOld = ({ time }: AuditHead) => time <= now - retentionMs;
    if (!after.some(isOld)) return { heads: 0, rows: 0, strangeHead: undefined };
    const own = prefixOf(after, (head, i) => {
      return head.headNo === before + i + 1 && isOurHead(head, verifySignature);
    });
    const others = after.slice(own.length);
    const strangeHead = others.some(isOld) ? others[0]?.headNo : undefined;
    // An old head waits for a younger one before it: the clock was ahead, or was set back.
    const heads = fewRows(prefixOf(own, isOld));
    const last = heads.at(-1);
    if (last === undefined) return { heads: 0, rows: 0, strangeHead };
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
    return { heads: heads.length, rows: await store.cutRows(cut, tiles), strangeHead };
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
