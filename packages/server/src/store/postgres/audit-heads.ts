// Which rows wait for a head, and how they get their numbers. Not shared: transactions run concurrently, so
// rows arrive without numbers, and the sealer assigns them (docs/adr/0018-numbers-of-audit-rows.md).
import type { AuditHeadStore, UnsealedAudit } from '../../domain/audit/proof-ports.ts';
import { createHeads, MAX_UNSEALED_COUNTED, STRANGE_NEWEST } from '../shared/audit/audit-heads.ts';
import { type Arrivals, createArrivals } from './arrivals.ts';
import type { Database } from './database.ts';

export function createAuditHeadStore(
  prepared: Database,
  arrivals: Arrivals = createArrivals(),
): AuditHeadStore {
  const database = prepared.unprepared;
  return {
    ...createHeads(database),
    // Runs every second.
    unsealed: () => readUnsealed(prepared, arrivals),
    numberRows: (max, covered = 0) => numberRows(database, { max, covered, from: arrivals.from() }),
  };
}

/**
 * Numbers rows in the order in which they arrived, with one sealer at a time: a reader that sees a number also sees
 * all rows before it. A row that is not committed yet gets a later number; a row that is rolled back gets none.
 */
function numberRows(
  database: Database,
  values: { readonly max: number; readonly covered: number; readonly from: number },
): Promise<void> {
  return database.transaction(async (sql) => {
    await sql.lock('numbering audit rows');
    await sql.run(
      `WITH taken AS (
         DELETE FROM @new_audit_rows WHERE arrival_no > :from AND arrival_no <= (
           SELECT max(arrival_no) FROM (
             SELECT arrival_no FROM @new_audit_rows WHERE arrival_no > :from
             ORDER BY arrival_no LIMIT :max) AS first)
         RETURNING *)
       INSERT INTO @audit_rows
         (audit_no, time, actor, action, controller_id, subject_request_id, detail, request_no,
          mac)
       SELECT greatest(:covered::bigint, (SELECT max(audit_no) FROM @audit_rows))
                + row_number() OVER (ORDER BY arrival_no), time, actor, action,
              controller_id, subject_request_id, detail, request_no, mac
       FROM taken`,
      values,
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

/** Reads by key, because it runs every second. Arrival numbers have gaps, so the result may be too large. */
async function readUnsealed(
  database: Database,
  arrivals: Arrivals,
): Promise<UnsealedAudit | undefined> {
  const waiting = await database.get<Waiting>(
    `WITH numbered AS (
       SELECT audit_no, time FROM @audit_rows
       WHERE audit_no > coalesce(
         (SELECT last_audit_no FROM @audit_heads ORDER BY head_no DESC LIMIT 1), 0)
       ORDER BY audit_no LIMIT 1),
     arrived AS (
       SELECT arrival_no, time FROM @new_audit_rows WHERE arrival_no > :from
       ORDER BY arrival_no LIMIT 1)
     SELECT numbered.time AS "numberedSince",
            (SELECT max(audit_no) FROM @audit_rows) - numbered.audit_no + 1 AS numbered,
            arrived.time AS "arrivedSince", arrived.arrival_no AS "firstArrival",
            CASE WHEN is_called THEN last_value ELSE 0 END AS "lastArrival"
     FROM @new_audit_rows_arrival_no_seq LEFT JOIN numbered ON true LEFT JOIN arrived ON true`,
    { from: arrivals.from() },
  );
  if (waiting === undefined) return undefined;
  const { numberedSince, numbered, arrivedSince, firstArrival, lastArrival } = waiting;
  arrivals.taken(firstArrival === null ? lastArrival : firstArrival - 1);
  const since = numberedSince ?? arrivedSince;
  if (since === null) return database.get<UnsealedAudit>(STRANGE_NEWEST);
  const arrived = firstArrival === null ? 0 : lastArrival - firstArrival + 1;
  return { since, rows: Math.min(MAX_UNSEALED_COUNTED, (numbered ?? 0) + arrived) };
}
