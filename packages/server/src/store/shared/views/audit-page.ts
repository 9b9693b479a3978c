// A page of the audit log, newest first: by number and not by time, because clocks may be set back; with a
// limit on the rows read.
import type { AuditRow } from '../../../domain/audit/audit-row.ts';
import type { AuditPageQuery, ViewPage } from '../../../domain/operator/view-ports.ts';
import { conditionsOf, type Sql } from '../../sql.ts';
import { AUDIT_ROW, BY_OPERATORS } from '../audit/audit-log.ts';

const MAX_SCANNED = 20_000;
/** More than clocks are set back in practice. */
const CLOCK_MS = 86_400_000;

const CONDITIONS = {
  controllerId: '"controllerId" = :controllerId',
  actor: 'actor = :actor',
  action: 'action = :action',
  since: 'time >= :since',
  until: 'time < :until',
};

export async function readAuditPage(
  sql: Sql,
  query: AuditPageQuery,
): Promise<ViewPage<AuditRow, number>> {
  const { limit, actor, byOperators } = query;
  const isOfOperators = byOperators === true || actor?.startsWith('operator:') === true;
  const filter = conditionsOf(query, CONDITIONS);
  const values = {
    ...query,
    after: Math.min(query.after ?? Number.MAX_SAFE_INTEGER, await behind(sql, query.until)),
    low: await before(sql, query.since),
    wanted: limit + 1,
  };
  const scanned = sql.dialect.auditTables.map(
    (table) => `SELECT * FROM (SELECT ${AUDIT_ROW} FROM ${table}
      WHERE audit_no < :after AND audit_no >= :low ${isOfOperators ? `AND ${BY_OPERATORS}` : ''}
      ORDER BY audit_no DESC LIMIT ${MAX_SCANNED}) AS part`,
  );
  const union = `SELECT * FROM (${scanned.join(' UNION ALL ')}) AS parts ORDER BY "auditNo" DESC`;
  const rows = await sql.all<AuditRow>(
    `SELECT * FROM (${union} LIMIT ${MAX_SCANNED}) AS scanned WHERE ${filter}
     ORDER BY "auditNo" DESC LIMIT :wanted`,
    values,
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length > limit && last !== undefined) return { items, next: last.auditNo };
  const end = await sql.get<{ auditNo: number }>(
    `SELECT "auditNo" FROM (${union} LIMIT 1 OFFSET ${MAX_SCANNED - 1}) AS last`,
    values,
  );
  return { items, next: end?.auditNo ?? null };
}

/** A lower bound for the numbers of all rows written since then. */
async function before(sql: Sql, since: number | undefined): Promise<number> {
  return since === undefined ? 0 : (await seek(sql, since - CLOCK_MS)).found;
}

/** An upper bound, not included, for the numbers of all rows written until then. */
async function behind(sql: Sql, until: number | undefined): Promise<number> {
  if (until === undefined) return Number.MAX_SAFE_INTEGER;
  const { found, end } = await seek(sql, until + CLOCK_MS);
  return found === end ? Number.MAX_SAFE_INTEGER : found;
}

/**
 * The first sealed row that was written at that time or later, by binary search; the end of the rows if
 * there is none.
 */
async function seek(sql: Sql, time: number): Promise<{ found: number; end: number }> {
  const ends = await sql.get<{ low: number | null; high: number | null }>(
    `SELECT (SELECT min(audit_no) FROM @audit_rows) AS low,
            (SELECT max(audit_no) FROM @audit_rows) AS high`,
  );
  let low = ends?.low ?? 0;
  const end = (ends?.high ?? -1) + 1;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await sql.get<{ auditNo: number; time: number }>(
      `SELECT audit_no AS "auditNo", time FROM @audit_rows WHERE audit_no >= :middle
       ORDER BY audit_no LIMIT 1`,
      { middle },
    );
    if (row === undefined || row.time >= time) high = middle;
    else low = row.auditNo + 1;
  }
  return { found: Math.min(low, end), end };
}
