// Writes the audit log as JSON lines: rows, followed by the head that covers them, and at the end a signed
// footer.
import { createHash } from 'node:crypto';
import type {
  AuditHead,
  AuditTree,
  ChainedRow,
  ProofSigner,
} from '../../domain/audit/proof-ports.ts';
import { hashLines, hex } from '../chain.ts';
import { createSalts } from '../tree/entry.ts';
import { type VerifiableChain, verifiableChain } from '../verifiable-chain.ts';
import { cutLine, EXPORT_TYPE, EXPORT_VERSION, headLine, rowLine } from './shapes.ts';

const PAGE = 100;

/** Only whole heads: those made since then, and at the end the rows that no head covers yet. */
export async function* exportAudit(
  tree: AuditTree,
  signer: ProofSigner,
  since: number,
  now: number,
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  let lines = 0;
  for await (const line of linesOf(tree, signer, since, now)) {
    const text = `${line}\n`;
    digest.update(text);
    lines++;
    yield text;
  }
  const sha256 = digest.digest('hex');
  const { keyId } = signer;
  const signature = hex(signer.sign(hashFooter({ lines, sha256, keyId })));
  yield `${footerLine({ lines, sha256, keyId }, signature)}\n`;
}

export interface Footer {
  readonly lines: number;
  /** Hash of all lines before it, with their line ends. */
  readonly sha256: string;
  readonly keyId: string;
}

export const footerLine = ({ lines, sha256, keyId }: Footer, signature: string): string =>
  JSON.stringify({ type: 'footer', lines, sha256, key_id: keyId, signature });

export const hashFooter = ({ lines, sha256, keyId }: Footer): Buffer =>
  hashLines([`unwrite audit export ${EXPORT_VERSION}`, lines, sha256, keyId]);

async function* linesOf(
  tree: AuditTree,
  key: ProofSigner,
  since: number,
  now: number,
): AsyncGenerator<string> {
  const cut = await tree.cut();
  const base = await lastBefore(tree, since);
  yield JSON.stringify({
    type: EXPORT_TYPE,
    version: EXPORT_VERSION,
    exported_time: new Date(now).toISOString(),
    key_id: key.keyId,
    public_key: key.publicKey,
    begins_after: base?.headNo ?? 0,
  });
  if (cut !== undefined) yield cutLine(cut);
  const chain = verifiableChain(tree);
  const saltOf = createSaltOf(tree);
  const withoutRows = Math.max(base?.headNo ?? 0, cut?.headNo ?? 0);
  let last = { headNo: Math.max(0, (base?.headNo ?? 0) - 1), lastAuditNo: 0 };
  for (let page = [] as AuditHead[]; ; ) {
    page = await tree.heads(last.headNo, PAGE);
    for (const head of page) {
      if (head.headNo > withoutRows) {
        for (const row of await tree.rows(head.firstAuditNo, head.lastAuditNo))
          yield rowLine(await withSalt(row, saltOf));
      }
      yield headLine(head, await hashesOf(chain, head, withoutRows));
      last = head;
    }
    if (page.length < PAGE) break;
  }
  for (let after = last.lastAuditNo, rows = [] as ChainedRow[]; ; ) {
    rows = await tree.rowsAfter(after, PAGE);
    yield* rows.map(rowLine);
    after = rows.at(-1)?.auditNo ?? after;
    if (rows.length < PAGE) return;
  }
}

/** The head after which the export begins; it is included, so that the tree can be followed from there. */
async function lastBefore(tree: AuditTree, since: number): Promise<AuditHead | undefined> {
  let base: AuditHead | undefined;
  for (let page = [] as AuditHead[]; ; ) {
    page = await tree.heads(base?.headNo ?? 0, PAGE);
    for (const head of page) {
      if (head.time >= since) return base;
      base = head;
    }
    if (page.length < PAGE) return base;
  }
}

async function hashesOf(chain: VerifiableChain, head: AuditHead, withoutRows: number) {
  const none = { leaves: null, peaks: null };
  if (head.headNo < withoutRows) return none;
  if (head.headNo === withoutRows) return { ...none, peaks: (await chain.peaks(head)) ?? null };
  return { ...none, leaves: (await chain.leaves(head, head.firstAuditNo)) ?? null };
}

/** The seed is in the head that made the row a leaf. */
function createSaltOf(tree: AuditTree) {
  let known: AuditHead | undefined;
  return async (auditNo: number): Promise<string | undefined> => {
    if (known === undefined || auditNo > known.lastAuditNo) {
      known = await tree.headOfRow(auditNo, Number.MAX_SAFE_INTEGER);
    }
    const seed = known?.saltSeed;
    return seed == null ? undefined : createSalts(seed, auditNo)(auditNo);
  };
}

async function withSalt(
  row: ChainedRow,
  saltOf: (auditNo: number) => Promise<string | undefined>,
): Promise<ChainedRow> {
  const salt = await saltOf(row.auditNo);
  return salt === undefined ? row : { ...row, salt };
}
