// Verifies the whole chain and names the places that were changed since it was sealed, up to a limit.
import type {
  AuditHead,
  AuditTree,
  ChainedRow,
  KnownHead,
  VerifySignature,
} from '../domain/audit/proof-ports.ts';
import { hex } from './chain.ts';
import { treeAt } from './tree/tree-state.ts';
import { type VerifiableChain, verifiableChain } from './verifiable-chain.ts';
import { checkCut, fitsCut } from './verify-cut.ts';
import { checkHead, checkTail, insertedBefore, missingHead } from './verify-places.ts';
import { type CheckedRows, checkTree, type FollowedTree } from './verify-tree.ts';
import { watchRows } from './watch-rows.ts';

const PAGE = 100;
const MAX_PROBLEMS = 20;
const MAX_ROWS_NAMED = 1000;

export interface AuditVerdict {
  /** The broken places, the first one first; empty if nothing was changed. */
  readonly problems: readonly string[];
  /** The rows that these and further problems name. */
  readonly rowsNamed: readonly number[];
  /** Broken places that a person has accepted. */
  readonly accepted: readonly string[];
  readonly heads: number;
  /** Rows that a head covers and that are unchanged. */
  readonly rows: number;
  /** Rows written since the last head. */
  readonly unsealed: number;
  /**
   * Heads whose rows were cut because of their age: they prove that there were rows, not what those rows
   * said.
   */
  readonly cut: { readonly heads: number; readonly lastAuditNo: number; readonly time: number };
  readonly last: KnownHead | undefined;
}

export interface Expected {
  readonly verifySignature: VerifySignature;
  readonly known: readonly KnownHead[];
  /** If missing, times are not compared with the present. */
  readonly now?: number;
  /** For a store: whether the row has a valid MAC. */
  readonly isAuthentic?: (row: ChainedRow) => boolean;
}

export async function verifyAudit(
  log: AuditTree | VerifiableChain,
  { verifySignature, known, now = Number.POSITIVE_INFINITY, isAuthentic }: Expected,
): Promise<AuditVerdict> {
  const { chain, strangeRows } = watchRows(verifiableChain(log), isAuthentic);
  const { cut, problems: ofCut } = await checkCut(chain, verifySignature, now);
  const problems: string[] = [...ofCut];
  const accepted = new Set<number>();
  const notes: string[] = [];
  const unseen = Map.groupBy(known, ({ headNo }) => headNo);
  const seen = { heads: 0, rows: 0, cutHeads: 0 };
  const withoutRows = Math.max(chain.beginsAfter, cut?.headNo ?? 0);
  let previous: AuditHead | undefined;
  let tree: FollowedTree = 'none yet';

  async function checkRowsOf(head: AuditHead): Promise<CheckedRows> {
    if (head.headNo <= withoutRows) {
      if (head.headNo > chain.beginsAfter) seen.cutHeads++;
      tree = (head.headNo === withoutRows ? await treeAt(chain, head) : undefined) ?? 'lost';
      const isLost = head.headNo === withoutRows && tree === 'lost';
      return { rows: 0, problems: isLost ? [treeIsLost(head)] : [] };
    }
    const checked = await checkTree(chain, head, tree);
    tree = checked.tree;
    return checked;
  }

  for await (const head of allHeads(chain)) {
    const follows = previous ?? (head.headNo === chain.beginsAfter ? 'anything' : undefined);
    problems.push(...checkHead(head, follows, verifySignature));
    if (cut !== undefined && !fitsCut(cut, head)) {
      problems.push(`the record of what was cut names another head ${head.headNo}`);
    }
    for (const { hash } of unseen.get(head.headNo) ?? []) {
      if (hash !== hex(head.hash))
        problems.push(`head ${head.headNo} differs from the recorded one`);
    }
    unseen.delete(head.headNo);
    const checked = await checkRowsOf(head);
    problems.push(...checked.problems);
    for (const auditNo of checked.accepted ?? []) accepted.add(auditNo);
    notes.push(...(checked.notes ?? []));
    seen.rows += checked.rows;
    seen.heads++;
    previous = head;
  }
  if (previous === undefined) problems.push('there is no head: nothing in it is proven');
  const isStore = isAuthentic !== undefined;
  if (previous !== undefined && isStore && (await treeAt(chain, previous)) === undefined) {
    problems.push(treeIsLost(previous));
  }
  for (const headNo of unseen.keys()) problems.push(missingHead(headNo, previous));
  const tail = await checkTail(chain, previous);
  const inserted = await insertedBefore(chain, cut?.lastAuditNo ?? 0);
  const strange = strangeRows(problems);
  const all = [...inserted, ...problems, ...tail.problems, ...strange];
  const isAccepted = (problem: string) => accepted.has(rowNamed(problem) ?? 0);
  const open = all.filter((problem) => !isAccepted(problem));
  const named = [...strange, ...open].flatMap((problem) => rowNamed(problem) ?? []);
  return {
    problems: open.slice(0, MAX_PROBLEMS),
    rowsNamed: [...new Set(named)].slice(0, MAX_ROWS_NAMED),
    accepted: [...notes, ...all.filter(isAccepted)].slice(0, MAX_PROBLEMS),
    heads: seen.heads,
    rows: seen.rows,
    unsealed: tail.rows,
    cut: {
      heads: seen.cutHeads,
      lastAuditNo: seen.cutHeads === 0 ? 0 : (cut?.lastAuditNo ?? 0),
      time: seen.cutHeads === 0 ? 0 : (cut?.headTime ?? 0),
    },
    last: previous && { headNo: previous.headNo, hash: hex(previous.hash) },
  };
}

function rowNamed(problem: string): number | undefined {
  const [, auditNo] = /^row (-?\d+) /.exec(problem) ?? [];
  return auditNo === undefined ? undefined : Number(auditNo);
}

const treeIsLost = ({ headNo }: AuditHead) =>
  `the stored hashes of the tree at head ${headNo} were changed`;

async function* allHeads(chain: VerifiableChain): AsyncGenerator<AuditHead> {
  let after = 0;
  for (;;) {
    const page = await chain.heads(after, PAGE);
    yield* page;
    after = page.at(-1)?.headNo ?? after;
    if (page.length < PAGE) return;
  }
}
