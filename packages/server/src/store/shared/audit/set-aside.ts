// Removes rows and heads that Unwrite did not write from the log, so that they stop nothing. They are kept for
// an operator to review.
import { auditClaim } from '../../../domain/audit/audit-claim.ts';
import type { AuditHeadStore, ChainedRow, SetAside } from '../../../domain/audit/proof-ports.ts';
import { followers } from '../../../domain/audit/row-numbers.ts';
import { type Database, hex, rowsOf, type Sql } from '../../sql.ts';
import { storedJson } from '../../stored-text.ts';
import { appendAudit, auditOf } from './append-audit.ts';
import { CHAINED_ROW } from './audit-chain.ts';

type SetAsideStore = Pick<
  AuditHeadStore,
  | 'nextAfter'
  | 'lastUpTo'
  | 'anyUpTo'
  | 'setRowAside'
  | 'setRowsAside'
  | 'moveBehind'
  | 'hasHeadBelowFirst'
  | 'setHeadsAside'
  | 'setCutsAside'
>;

/** If this number is taken, SQLite assigns random numbers to new rows. */
const LARGEST = '9223372036854775807';
const AT_ONCE = 1000;

interface FoundRow {
  /** As text, because it may exceed what a JavaScript number can hold. */
  readonly number: string;
}

/** All numbers as text, because another program may have written the largest one. */
const asText = (...columns: string[]) =>
  columns.map((column) => `CAST(${column} AS text) AS ${column}`).join(', ');
const ROW = `CAST(audit_no AS text) AS number, ${asText('time', 'request_no')}, actor, action,
  controller_id, subject_request_id, detail, mac`;
const HEAD = `CAST(head_no AS text) AS number,
  ${asText('first_audit_no', 'last_audit_no', 'time', 'tree_first')}, previous_hash,
  rows_hash, hash, key_id, signature`;
const CUT = `CAST(head_no AS text) AS number,
  ${asText('last_audit_no', 'head_time', 'retention_ms', 'time')}, head_hash, key_id, signature`;

export function createSetAside(database: Database): SetAsideStore {
  const one = async (rest: string, values: Readonly<Record<string, unknown>> = {}) =>
    (
      await database.get<FoundRow>(
        `SELECT CAST(audit_no AS text) AS number FROM @audit_rows WHERE ${rest} LIMIT 1`,
        values,
      )
    )?.number;
  return {
    nextAfter: async (auditNo) =>
      (await one(`audit_no = ${LARGEST}`)) ??
      one('audit_no > :auditNo ORDER BY audit_no', { auditNo }),
    lastUpTo: (auditNo) => one('audit_no <= :auditNo ORDER BY audit_no DESC', { auditNo }),
    anyUpTo: (auditNo) => one('audit_no <= :auditNo ORDER BY audit_no', { auditNo }),
    setRowAside: (number, after, now) =>
      database.transaction(async (sql) => {
        await sql.lock('numbering audit rows');
        // If another node was first, it has renumbered the rows after it, and one of ours may have its number by now.
        if (after !== undefined && (await isGapClosed(sql, number, after))) return;
        const taken = await takeRows(sql, [number]);
        await keep(sql, 'row', taken, now);
        if (after !== undefined && taken.length > 0) await closeGap(sql, number, after);
      }),
    setRowsAside: (auditNos, covered, now) =>
      database.transaction(async (sql) => {
        await sql.lock('numbering audit rows');
        const gone = await placesOf(sql, await strangers(sql, auditNos), covered);
        const taken = await takeRows(
          sql,
          gone.map(({ number }) => String(number)),
        );
        await moveUp(sql, gone);
        await keep(sql, 'row', taken, now);
      }),
    moveBehind: (first, last, covered) =>
      database.transaction(async (sql) => {
        await sql.lock('numbering audit rows');
        if (!(await isToMove(sql, first, last, covered))) return false;
        await moveBehind(sql, first, last, covered);
        return true;
      }),
    hasHeadBelowFirst: async () =>
      (await database.get('SELECT 1 AS found FROM @audit_heads WHERE head_no < 1 LIMIT 1')) !==
      undefined,
    setHeadsAside: (heads, now) =>
      database.transaction(async (sql) => {
        const beyond = `head_no > ${Number.MAX_SAFE_INTEGER} OR head_no < 1`;
        const taken = await sql.all<FoundRow>(
          `DELETE FROM @audit_heads WHERE ${beyond} RETURNING ${HEAD}`,
        );
        for (const { headNo, signature } of heads) {
          // Compares the signature, so as not to delete a head that a node has written in its place since.
          const found = await sql.all<FoundRow>(
            `DELETE FROM @audit_heads WHERE head_no = :headNo AND signature = :signature
             RETURNING ${HEAD}`,
            { headNo, signature },
          );
          taken.push(...found);
        }
        await keep(sql, 'head', taken, now);
      }),
    setCutsAside: ({ signature }, now) =>
      database.transaction(async (sql) => {
        const cuts = await sql.all<FoundRow>(
          `DELETE FROM @audit_cuts WHERE signature = :signature RETURNING ${CUT}`,
          { signature },
        );
        await keep(sql, 'cut', cuts, now);
      }),
  };
}

export function isAuthentic(sql: Sql, row: ChainedRow): boolean {
  return sql.rowMacs.verify(auditClaim(row), Buffer.from(row.mac ?? '', 'hex'));
}

/** If another node was first, rows of ours have these numbers by now. */
async function strangers(sql: Sql, auditNos: readonly number[]): Promise<number[]> {
  const found = await sql.all<ChainedRow>(
    `${CHAINED_ROW} WHERE audit_no = ANY(:auditNos::bigint[])`,
    { auditNos },
  );
  return found.filter((row) => !isAuthentic(sql, row)).map(({ auditNo }) => auditNo);
}

/** The largest number is never one of ours, and those that SQLite assigns beside it are random. */
async function isGapClosed(sql: Sql, number: string, after: number): Promise<boolean> {
  if (number === LARGEST) return false;
  const between = await sql.get(
    `SELECT 1 AS found FROM @audit_rows
     WHERE audit_no > :after AND audit_no < CAST(:number AS bigint) LIMIT 1`,
    { after, number },
  );
  return between !== undefined;
}

interface Gone {
  readonly number: number;
  /** How many numbers are free without the row: its own, and those of the gap before it. */
  readonly places: number;
}

async function placesOf(sql: Sql, numbers: readonly number[], covered: number): Promise<Gone[]> {
  const found = await sql.all<{ number: number; before: number | null }>(
    `SELECT audit_no AS number,
            (SELECT max(earlier.audit_no) FROM @audit_rows AS earlier
             WHERE earlier.audit_no < it.audit_no) AS before
     FROM @audit_rows AS it WHERE audit_no = ANY(:numbers::bigint[]) ORDER BY audit_no`,
    { numbers },
  );
  return found.map(({ number, before }) => ({
    number,
    places: number - Math.max(before ?? 0, covered),
  }));
}

/** If another node was first, they are moved already, and a head may cover them. */
async function isToMove(sql: Sql, first: number, last: number, covered: number): Promise<boolean> {
  const found = await sql.get<{ rows: number; covered: number }>(
    `SELECT count(*) AS rows,
            (SELECT last_audit_no FROM @audit_heads ORDER BY head_no DESC LIMIT 1) AS covered
     FROM @audit_rows WHERE audit_no BETWEEN :first AND :last`,
    { first, last },
  );
  return found?.covered === covered && Number(found.rows) === last - first + 1;
}

async function takeRows(sql: Sql, numbers: readonly string[]): Promise<FoundRow[]> {
  return sql.all<FoundRow>(
    `DELETE FROM @audit_rows WHERE audit_no = ANY(:numbers::bigint[]) RETURNING ${ROW}`,
    { numbers },
  );
}

/** Also appends an audit row about it, which will be signed. */
async function keep(
  sql: Sql,
  kind: SetAside['kind'],
  found: readonly FoundRow[],
  now: number,
): Promise<void> {
  for (const { number, ...content } of found) {
    await sql.run(
      `INSERT INTO @audit_set_aside (time, kind, number, content)
       VALUES (:now, :kind, :number, :content)`,
      { now, kind, number, content: storedJson(readable(content)) },
    );
    const entry = auditOf('audit.set_aside', { actor: 'system', now }, { kind, number });
    await appendAudit(sql, [entry]);
  }
}

function readable(content: object): object {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? hex(value) : value,
    ]),
  );
}

/** Renumbers our own rows from the removed one on. No head covers them yet. */
async function closeGap(sql: Sql, setAside: string, after: number): Promise<void> {
  const isRandom = setAside === LARGEST;
  const [from, order] = isRandom ? [String(after), 'time, audit_no'] : [setAside, 'audit_no'];
  const found = await sql.all<FoundRow>(
    `SELECT CAST(audit_no AS text) AS number FROM @audit_rows
     WHERE audit_no > CAST(:from AS bigint) ORDER BY ${order}`,
    { from },
  );
  const numbers = found.map(({ number }) => BigInt(number));
  const moved = (isRandom ? numbers : followers(numbers, BigInt(setAside))).map(String);
  for (let at = 0; at < moved.length; at += AT_ONCE) {
    const chunk = moved.slice(at, at + AT_ONCE);
    const taken = new Map((await takeRows(sql, chunk)).map((row) => [row.number, row]));
    const renumbered = chunk.map((number, i) => ({
      ...taken.get(number),
      number: after + at + i + 1,
    }));
    await putBack(sql, renumbered);
  }
}

/** Renumbers our own rows after the removed ones: each moves down by the places that are free before it. */
async function moveUp(sql: Sql, gone: readonly Gone[]): Promise<void> {
  const [first] = gone;
  if (first === undefined) return;
  const found = await sql.all<FoundRow>(
    `SELECT CAST(audit_no AS text) AS number FROM @audit_rows
     WHERE audit_no > CAST(:first AS bigint) ORDER BY audit_no`,
    { first: first.number },
  );
  let before = 0;
  let places = 0;
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const chunk = found.slice(at, at + AT_ONCE).map(({ number }) => number);
    const taken = new Map((await takeRows(sql, chunk)).map((row) => [row.number, row]));
    const moved = chunk.map((number) => {
      for (; (gone[before]?.number ?? Number.POSITIVE_INFINITY) < Number(number); before++) {
        places += gone[before]?.places ?? 0;
      }
      return { ...taken.get(number), number: Number(number) - places };
    });
    await putBack(sql, moved);
  }
}

/** The last rows are moved first: the numbers behind them are free. */
async function moveBehind(sql: Sql, first: number, last: number, covered: number): Promise<void> {
  const found = await sql.all<FoundRow>(
    `SELECT CAST(audit_no AS text) AS number FROM @audit_rows
     WHERE audit_no BETWEEN :first AND :last OR audit_no > :covered ORDER BY audit_no`,
    { first, last, covered },
  );
  const count = last - first + 1;
  for (let end = found.length; end > 0; end -= AT_ONCE) {
    const chunk = found.slice(Math.max(0, end - AT_ONCE), end).map(({ number }) => number);
    const moved = (await takeRows(sql, chunk)).map((row) => {
      const number = Number(row.number);
      return { ...row, number: number + (number > covered ? count : covered - first + 1) };
    });
    await putBack(sql, moved);
  }
}

async function putBack(sql: Sql, rows: readonly object[]): Promise<void> {
  await sql.run(
    `INSERT INTO @audit_rows
       (audit_no, time, actor, action, controller_id, subject_request_id, detail, request_no, mac)
     SELECT number, time, actor, action, controller_id, subject_request_id, detail, request_no,
            decode(mac, 'hex')
     FROM json_to_recordset(:rows::json) AS moved
       (number bigint, time bigint, actor text, action text, controller_id text,
        subject_request_id text, detail text, request_no bigint, mac text)`,
    { rows: rowsOf(rows) },
  );
}
