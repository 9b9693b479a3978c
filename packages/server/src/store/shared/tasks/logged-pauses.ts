// Pauses that are in the audit log but missing in the table, because someone else removed them: they stay in
// force. The same is true of an unconfirmed restore.
import { readDetail } from '../../../domain/audit/read-detail.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import { EVERYTHING } from '../../../domain/task/pause-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { isOurs, type RowWithMac, selectClaimed } from '../audit/claimed-rows.ts';

/** In the form of the index audit_of_pauses. */
const PAUSES =
  "action IN ('erasing.paused', 'erasing.resumed', 'store.went_back', 'store.restore_confirmed')";

/** Cannot be the name of a target. */
const RESTORE = ':restore';

/**
 * Since when each scope is paused, by its newest row: newest by time, so that a copy of an old row has no
 * effect. A row that pauses counts even without a valid MAC: otherwise damaging the MAC would resume.
 */
export async function loggedPauses(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const pauses = await readPauses(sql, sql.rowMacs);
  pauses.delete(RESTORE);
  return pauses;
}

/**
 * When the store went back in time, according to the log; undefined if it did not, or if an operator has
 * confirmed it since.
 */
export async function loggedRestore(
  sql: Sql,
  macs: RowMacs = sql.rowMacs,
): Promise<number | undefined> {
  return (await readPauses(sql, macs)).get(RESTORE);
}

/** When the open restore was detected. Undefined if rows of ours do not say that a restore is open: others may have been written by someone else. */
export async function openDeclaration(sql: Sql, macs: RowMacs): Promise<number | undefined> {
  const rows = (await readRows(sql)).filter(({ action }) => action.startsWith('store.'));
  const row = rows.find(isOurs(macs));
  if (row?.action !== 'store.went_back') return undefined;
  const { detected } = readDetail(row);
  return typeof detected === 'number' ? detected : undefined;
}

/** A time at which a new row is the newest of its scope, regardless of the clock: the log is read by time. */
export async function timeAfterLogged(
  sql: Sql,
  macs: RowMacs,
  scope: string | undefined,
  now: number,
): Promise<number> {
  const newest = (await readNewest(sql, macs)).get(scope ?? RESTORE);
  return Math.max(now, (newest?.time ?? 0) + 1);
}

/** Since when, by scope. */
async function readPauses(sql: Sql, macs: RowMacs): Promise<Map<string, number>> {
  const newest = [...(await readNewest(sql, macs))];
  return new Map(newest.flatMap(([scope, { time, pauses }]) => (pauses ? [[scope, time]] : [])));
}

interface NewestRow {
  readonly time: number;
  readonly pauses: boolean;
}

/** The newest first. */
async function readRows(sql: Sql): Promise<RowWithMac[]> {
  return sql.all<RowWithMac>(
    `SELECT * FROM (${selectClaimed(sql, PAUSES)}) AS pauses
     ORDER BY time DESC, action = 'store.restore_confirmed' DESC`,
  );
}

async function readNewest(sql: Sql, macs: RowMacs): Promise<Map<string, NewestRow>> {
  const rows = await readRows(sql);
  const scopes = new Map<string, NewestRow>();
  const isAuthentic = isOurs(macs);
  for (const row of rows) {
    const scope = row.action.startsWith('store.') ? RESTORE : String(readDetail(row).target);
    const pauses = row.action === 'erasing.paused' || row.action === 'store.went_back';
    if (scopes.has(scope) || !(pauses || isAuthentic(row))) continue;
    scopes.set(scope, { time: row.time, pauses });
  }
  return scopes;
}

/**
 * Raises an alarm for a pause that is missing in its table. Both are read in one snapshot, because an
 * operator may resume in the meantime.
 */
export async function isPausedByLog(database: Database, target: string): Promise<boolean> {
  if (pausing(await readPauses(database, database.rowMacs), target) === undefined) return false;
  return database.snapshot(async (sql) => {
    const scope = pausing(await readPauses(sql, sql.rowMacs), target);
    if (scope === undefined || scope === RESTORE) return scope !== undefined;
    const known = await sql.get('SELECT 1 AS one FROM @brakes WHERE scope = :scope', { scope });
    if (known === undefined) {
      sql.rowMacs.refuse({ kind: 'pause', id: scope }, 'no operator has resumed it');
    }
    return true;
  });
}

const pausing = (paused: ReadonlyMap<string, number>, target: string) =>
  [RESTORE, EVERYTHING, target].find((scope) => paused.has(scope));
