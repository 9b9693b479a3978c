// What the transaction has changed so far, whether by statements, foreign keys or triggers.
import type { ChangesByTable } from '../sql/dialect.ts';
import type { SqlSession } from '../sql/session.ts';

/** $1: as written, $2: quoted. Partitions and child tables count as the table that the plan names. */
const NAMED = `
  WITH RECURSIVE named AS (
    SELECT w.written, to_regclass(w.quoted)::oid AS oid
    FROM unnest($1::text[], $2::text[]) AS w (written, quoted)
    UNION
    SELECT n.written, h.inhrelid FROM named n JOIN pg_catalog.pg_inherits h ON h.inhparent = n.oid)`;
const NAME = `coalesce(
           (SELECT min(n.written) FROM named n WHERE n.oid = c.oid),
           coalesce(pg_catalog.pg_partition_root(c.oid), c.oid)::regclass::text) AS name`;
// Temporary tables are the connection's own.
const IS_TABLE = `c.relkind = 'r' AND c.relpersistence <> 't' AND c.oid >= 16384`;

const CHANGES = `${NAMED}
  SELECT ${NAME},
         sum(x.tuples + x.truncated)::text AS changes,
         sum(x.truncated)::text AS truncated,
         sum(pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid))::text AS inserted,
         sum(pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid))::text AS deleted,
         sum(CASE WHEN c.relispartition THEN pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid) ELSE 0 END)::text
           AS arrived
  FROM pg_catalog.pg_class c
  CROSS JOIN LATERAL (
    SELECT pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid)
         + pg_catalog.pg_stat_get_xact_tuples_updated(c.oid)
         + pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid) AS tuples,
           -- TRUNCATE counts no row, but rewrites the table's row of pg_class, so that its xmin is ours.
           CASE WHEN pg_catalog.age(c.xmin) <= 0 THEN 1 ELSE 0 END AS truncated) x
  WHERE ${IS_TABLE} AND x.tuples + x.truncated > 0
  GROUP BY 1`;

const TABLES = `${NAMED}
  SELECT ${NAME}, c.oid::text AS id FROM pg_catalog.pg_class c WHERE ${IS_TABLE}`;

/**
 * A table that a trigger drops takes its counters with it: only its absence shows it. What other
 * transactions drop meanwhile is still there in the snapshot of this one.
 */
export async function readTables(
  session: SqlSession,
  tables: readonly string[],
  quoteTable: (table: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await session.query(TABLES, [tables, tables.map(quoteTable)]);
  return new Map(rows.map(({ id, name }) => [String(id), String(name)]));
}

/** The counters include earlier transactions of the connection: only differences are meaningful. */
export async function readChanges(
  session: SqlSession,
  tables: readonly string[],
  quoteTable: (table: string) => string,
): Promise<ChangesByTable> {
  const { rows } = await session.query(CHANGES, [tables, tables.map(quoteTable)]);
  return new Map(
    rows.map(({ name, changes, truncated, inserted, deleted, arrived }) => [
      String(name),
      {
        changes: Number(changes),
        // TRUNCATE does not report how many rows it removed, and forgets what was counted before it.
        ...(Number(truncated) === 0
          ? { rows: { inserted: Number(inserted), deleted: Number(deleted), touched: undefined } }
          : { isCounted: false as const }),
        arrived: Number(arrived),
      },
    ]),
  );
}

/**
 * How many rows this transaction, or a subtransaction that a trigger opened, has inserted or updated. All other
 * visible rows were written by transactions that began before it. Undefined if the account may not read the table.
 */
export async function countWritten(
  session: SqlSession,
  sqlName: string,
): Promise<number | undefined> {
  const may = `SELECT pg_catalog.has_table_privilege($1::text::regclass, 'SELECT') AS may`;
  const [right] = (await session.query(may, [sqlName])).rows;
  if (right?.may !== true) return undefined;
  const counted = `SELECT count(*)::text AS n FROM ${sqlName} WHERE pg_catalog.age(xmin) <= 0`;
  return Number((await session.query(counted)).rows[0]?.n);
}
