// Walks the whole chain and names every place, up to a few, that is not as it was sealed.
import type {
  AuditChain,
  AuditHead,
  KnownHead,
  VerifySignature,
} from '../domain/audit/proof-ports.ts';
import { FIRST_PREVIOUS_HASH, hashHead, hex } from './chain.ts';
import { checkRows } from './verify-rows.ts';

const PAGE = 100;
const MOST_PROBLEMS = 20;

export interface AuditVerdict {
  /** The first broken place comes first; none where all is as it was sealed. */
  readonly problems: readonly string[];
  readonly heads: number;
  /** Rows that a head covers and that are as they were. */
  readonly rows: number;
  /** Written since the last head, and not covered yet. */
  readonly unsealed: number;
  /** Heads whose rows were cut for their age: they vouch that the rows were there, not for what they said. */
  readonly cut: { readonly heads: number; readonly lastAuditNo: number; readonly time: number };
  readonly last: KnownHead | undefined;
}

export interface Expected {
  readonly verifySignature: VerifySignature;
  readonly known: readonly KnownHead[];
  /** An export may begin in the middle; a store may not. */
  readonly beginsAnywhere?: boolean;
}

export async function verifyAudit(chain: AuditChain, expected: Expected): Promise<AuditVerdict> {
  const { verifySignature, known, beginsAnywhere = false } = expected;
  const problems: string[] = [];
  const unseen = new Map<number, string[]>();
  for (const { headNo, hash } of known) unseen.set(headNo, [...(unseen.get(headNo) ?? []), hash]);
  let cut = { heads: 0, lastAuditNo: 0, time: 0 };
  let [heads, rows, previous] = [0, 0, undefined as AuditHead | undefined];

  for await (const head of allHeads(chain)) {
    const follows = previous ?? (beginsAnywhere ? 'anything' : undefined);
    problems.push(...checkHead(head, follows, verifySignature));
    for (const hash of unseen.get(head.headNo) ?? []) {
      if (hash !== hex(head.hash))
        problems.push(`head ${head.headNo} differs from the recorded one`);
    }
    unseen.delete(head.headNo);
    if (head.rowDigests === null && heads === cut.heads) {
      cut = { heads: cut.heads + 1, lastAuditNo: head.lastAuditNo, time: head.time };
    } else {
      const checked = await checkRows(chain, head);
      problems.push(...checked.problems);
      rows += checked.rows;
    }
    heads++;
    previous = head;
    if (problems.length >= MOST_PROBLEMS) break;
  }
  if (problems.length < MOST_PROBLEMS) {
    for (const headNo of unseen.keys()) problems.push(missingHead(headNo, previous));
  }
  const tail = await checkTail(chain, previous);
  const floor = beginsAnywhere ? ((await chain.heads(0, 1))[0]?.firstAuditNo ?? 1) - 1 : 0;
  const inserted = await insertedBefore(chain, cut.lastAuditNo, floor);
  return {
    problems: [...inserted, ...problems, ...tail.problems],
    heads,
    rows,
    unsealed: tail.rows,
    cut,
    last: previous && { headNo: previous.headNo, hash: hex(previous.hash) },
  };
}

async function* allHeads(chain: AuditChain): AsyncGenerator<AuditHead> {
  let after = 0;
  for (;;) {
    const page = await chain.heads(after, PAGE);
    yield* page;
    after = page.at(-1)?.headNo ?? after;
    if (page.length < PAGE) return;
  }
}

function checkHead(
  head: AuditHead,
  previous: AuditHead | 'anything' | undefined,
  verifySignature: VerifySignature,
): string[] {
  const { headNo } = head;
  const problems: string[] = [];
  if (previous !== 'anything') {
    const headBefore = previous?.headNo ?? 0;
    const lastRow = previous?.lastAuditNo ?? 0;
    if (headNo !== headBefore + 1) {
      problems.push(`head ${headBefore + 1} is missing: the next one is ${headNo}`);
    } else if (hex(head.previousHash) !== hex(previous?.hash ?? FIRST_PREVIOUS_HASH)) {
      problems.push(`head ${headNo} does not follow the one before it`);
    } else if (head.firstAuditNo !== lastRow + 1) {
      problems.push(`head ${headNo} begins at row ${head.firstAuditNo} instead of ${lastRow + 1}`);
    }
  }
  if (hex(hashHead(head)) !== hex(head.hash)) problems.push(`head ${headNo} was changed`);
  else if (!verifySignature(head.keyId, head.hash, head.signature)) {
    problems.push(`the signature of head ${headNo} was not made with the given key`);
  }
  return problems;
}

function missingHead(headNo: number, last: AuditHead | undefined): string {
  const [lastHead, lastRow] = [last?.headNo ?? 0, last?.lastAuditNo ?? 0];
  return headNo > lastHead
    ? `head ${headNo} was recorded and is missing: the log was cut after head ${lastHead} (row ${lastRow})`
    : `head ${headNo} was recorded and is missing`;
}

/** Below the first row that there should be. Numbers are whole, so there is no between. */
async function insertedBefore(
  chain: AuditChain,
  cutUntil: number,
  floor: number,
): Promise<string[]> {
  const until = Math.max(cutUntil, floor);
  const [first] = await chain.rowsAfter(Number.MIN_SAFE_INTEGER, 1);
  if (first === undefined || first.auditNo > until) return [];
  const why =
    cutUntil > 0 ? `rows up to ${cutUntil} were removed by retention` : `the first is ${until + 1}`;
  return [`row ${first.auditNo} was inserted: ${why}`];
}

/** Rows that no head covers yet can only be counted; a gap in their numbers still shows. */
async function checkTail(chain: AuditChain, last: AuditHead | undefined) {
  const problems: string[] = [];
  let expected = (last?.lastAuditNo ?? 0) + 1;
  let rows = 0;
  for (;;) {
    const page = await chain.rowsAfter(expected - 1, PAGE);
    for (const row of page) {
      if (row.auditNo !== expected && problems.length === 0) {
        problems.push(`row ${expected} was removed`);
      }
      expected = row.auditNo + 1;
      rows++;
    }
    if (page.length < PAGE) return { rows, problems };
  }
}
