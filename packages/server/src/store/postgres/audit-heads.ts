import type {
  AuditChain,
  AuditHead,
  AuditHeadStore,
  ChainedRow,
  HeadEnd,
  UnsealedAudit,
} from '../../domain/proof-ports.ts';
import { type Arrivals, createArrivals } from './arrivals.ts';
import type { Database, Sql } from './database.ts';
import { AUDIT_ROW, LAST_AUDIT_NO } from './new-audit.ts';
import { takeTurn } from './turns.ts';

/** That there are more is all that anybody has to know. */
const MOST_TOLD = 1_000_000;

const ROW = `SELECT ${AUDIT_ROW}, request_no AS "requestNo" FROM @audit_rows`;

export function createAuditHeadStore(
  prepared: Database,
  arrivals: Arrivals = createArrivals(),
): AuditHeadStore {
  const database = prepared.unprepared;
  return {
    // Asked every second.
    unsealed: () => readUnsealed(prepared, arrivals),
    numberRows: (most) => numberRows(database, most, arrivals.from()),
    lastHead: () =>
      database.one<HeadEnd>(
        `SELECT head_no AS "headNo", last_audit_no AS "lastAuditNo", hash
         FROM @audit_heads ORDER BY head_no DESC LIMIT 1`,
      ),
    ...createAuditChain(database),
    async addHead(head) {
      const added = await database.run(
        `INSERT INTO @audit_heads
           (head_no, first_audit_no, last_audit_no, time, previous_hash, rows_hash, hash, key_id,
            signature, row_digests)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
        [
          ...[head.headNo, head.firstAuditNo, head.lastAuditNo, head.time, head.previousHash],
          ...[head.rowsHash, head.hash, head.keyId, head.signature, head.rowDigests],
        ],
      );
      return added === 1;
    },
  };
}

/** On whatever `sql` is: a transaction sees one moment of it. */
export function createAuditChain(sql: Sql): AuditChain {
  return {
    heads: (after, most) =>
      sql.all<AuditHead>(
        `SELECT head_no AS "headNo", first_audit_no AS "firstAuditNo",
                last_audit_no AS "lastAuditNo", time, previous_hash AS "previousHash",
                rows_hash AS "rowsHash", hash, key_id AS "keyId", signature,
                row_digests AS "rowDigests"
         FROM @audit_heads WHERE head_no > $1 ORDER BY head_no LIMIT $2`,
        [after, most],
      ),
    rows: (from, to) =>
      sql.all<ChainedRow>(`${ROW} WHERE audit_no BETWEEN $1 AND $2 ORDER BY audit_no`, [from, to]),
    rowsAfter: (auditNo, most) =>
      sql.all<ChainedRow>(`${ROW} WHERE audit_no > $1 ORDER BY audit_no LIMIT $2`, [auditNo, most]),
  };
}

/**
 * In the order in which they arrived, and one sealer at a time: whoever sees a number sees all before it.
 * What is not committed yet is not seen, and gets a later number; what is rolled back gets none.
 */
function numberRows(database: Database, most: number, from: number): Promise<void> {
  return database.transaction(async (sql) => {
    await takeTurn(sql, database, 'numbering audit rows');
    await sql.run(
      `WITH taken AS (
         DELETE FROM @new_audit_rows WHERE arrival_no > $2 AND arrival_no <= (
           SELECT max(arrival_no) FROM (
             SELECT arrival_no FROM @new_audit_rows WHERE arrival_no > $2
             ORDER BY arrival_no LIMIT $1) AS first)
         RETURNING *)
       INSERT INTO @audit_rows
         (audit_no, time, actor, action, controller_id, subject_request_id, detail, request_no)
       SELECT ${LAST_AUDIT_NO} + row_number() OVER (ORDER BY arrival_no), time, actor, action,
              controller_id, subject_request_id, detail, request_no
       FROM taken`,
      [most, from],
    );
  });
}

interface Waiting {
  readonly numberedSince: number | null;
  readonly numbered: number | null;
  readonly arrivedSince: number | null;
  readonly firstArrival: number | null;
  readonly lastArrival: number;
}

/** Keyed reads: asked every second. Numbers of arrival have gaps, so there may be fewer than it says. */
async function readUnsealed(
  database: Database,
  arrivals: Arrivals,
): Promise<UnsealedAudit | undefined> {
  const waiting = await database.one<Waiting>(
    `WITH numbered AS (
       SELECT audit_no, time FROM @audit_rows
       WHERE audit_no > coalesce(
         (SELECT last_audit_no FROM @audit_heads ORDER BY head_no DESC LIMIT 1), 0)
       ORDER BY audit_no LIMIT 1),
     arrived AS (
       SELECT arrival_no, time FROM @new_audit_rows WHERE arrival_no > $1
       ORDER BY arrival_no LIMIT 1)
     SELECT numbered.time AS "numberedSince",
            (SELECT max(audit_no) FROM @audit_rows) - numbered.audit_no + 1 AS numbered,
            arrived.time AS "arrivedSince", arrived.arrival_no AS "firstArrival",
            CASE WHEN is_called THEN last_value ELSE 0 END AS "lastArrival"
     FROM @new_audit_rows_arrival_no_seq LEFT JOIN numbered ON true LEFT JOIN arrived ON true`,
    [arrivals.from()],
  );
  if (waiting === undefined) return undefined;
  const { numberedSince, numbered, arrivedSince, firstArrival, lastArrival } = waiting;
  arrivals.taken(firstArrival === null ? lastArrival : firstArrival - 1);
  const since = numberedSince ?? arrivedSince;
  if (since === null) return undefined;
  const arrived = firstArrival === null ? 0 : lastArrival - firstArrival + 1;
  return { since, rows: Math.min(MOST_TOLD, (numbered ?? 0) + arrived) };
}
