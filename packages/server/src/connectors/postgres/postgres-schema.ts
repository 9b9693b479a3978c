// What PostgreSQL's catalogue tells beyond the shapes of tables: indexes on lower(column), and what the
// transaction has changed so far.
import type { Catalogue } from '../sql/catalogue.ts';
import type { ChangesByTable } from '../sql/dialect.ts';
import type { SqlSession } from '../sql/session.ts';

/** $1: as written, $2: quoted. */
const LOWER_INDEXES = `
  SELECT w.written, pg_catalog.pg_get_indexdef(i.indexrelid, k.place, true) AS expression
  FROM unnest($1::text[], $2::text[]) AS w (written, quoted)
  JOIN pg_catalog.pg_index i ON i.indrelid = to_regclass(w.quoted)
  CROSS JOIN LATERAL generate_series(1, i.indnkeyatts::int) AS k (place)
  WHERE i.indexprs IS NOT NULL AND i.indisvalid AND i.indpred IS NULL`;

// The names of these columns have changed from version to version.
const LOCALE = `
  SELECT concat_ws(' ', d.datctype, to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale') AS locale
  FROM pg_catalog.pg_database d WHERE d.datname = current_database()`;

/** There an I is not the capital of an i, so a search in lower case would miss rows. */
const ODD_LOCALE = /(?:^| )(?:tr|az|lt)(?:[-_. ]|$)|turkish|azeri|azerbaijani|lithuanian/i;

export async function findLowerIndexed(
  session: SqlSession,
  catalogue: Catalogue,
  quoteTable: (table: string) => string,
): Promise<Set<string>> {
  const names = [...catalogue.keys()];
  const { rows } = await session.query(LOWER_INDEXES, [names, names.map(quoteTable)]);
  const found = new Set<string>();
  for (const [table, { columns }] of catalogue) {
    const expressions = rows
      .filter(({ written }) => written === table)
      .map(({ expression }) => String(expression));
    for (const { name, type, collation } of columns.values()) {
      if (collation !== null && collation !== 'default') continue;
      const isServed =
        type.endsWith('citext') ||
        (expressions.some((expression) => isLowerOf(expression, name)) &&
          !expressions.some((expression) => expression.includes('COLLATE "C"')));
      if (isServed) found.add(`${table}.${name}`);
    }
  }
  if (found.size === 0) return found;
  const locale = String((await session.query(LOCALE)).rows[0]?.locale);
  return ODD_LOCALE.test(locale) ? new Set() : found;
}

function isLowerOf(expression: string, column: string): boolean {
  const [, name] = /^lower\(\(*("(?:[^"]|"")+"|[^\s:"()]+)\)*(?:::text)?\)$/.exec(expression) ?? [];
  return name === column || name === `"${column.replaceAll('"', '""')}"`;
}

/** $1: as written, $2: quoted. Partitions and heirs count as the table that the plan names. */
const CHANGES = `
  WITH RECURSIVE named AS (
    SELECT w.written, to_regclass(w.quoted)::oid AS oid
    FROM unnest($1::text[], $2::text[]) AS w (written, quoted)
    UNION
    SELECT n.written, h.inhrelid FROM named n JOIN pg_catalog.pg_inherits h ON h.inhparent = n.oid)
  SELECT coalesce(
           (SELECT min(n.written) FROM named n WHERE n.oid = c.oid),
           coalesce(pg_catalog.pg_partition_root(c.oid), c.oid)::regclass::text) AS name,
         sum(x.tuples + x.renewed)::text AS changes
  FROM pg_catalog.pg_class c
  CROSS JOIN LATERAL (
    SELECT pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid)
         + pg_catalog.pg_stat_get_xact_tuples_updated(c.oid)
         + pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid) AS tuples,
           -- TRUNCATE counts no row, but gives the table another file, and so this line of the catalogue
           -- another version: one of this transaction, which is not older than itself.
           CASE WHEN c.relpersistence <> 't' AND pg_catalog.age(c.xmin) <= 0 THEN 1 ELSE 0 END AS renewed) x
  WHERE c.relkind = 'r' AND c.oid >= 16384 AND x.tuples + x.renewed > 0
  GROUP BY 1`;

/** Counters also hold what earlier transactions of the connection did: only differences mean something. */
export async function readChanges(
  session: SqlSession,
  tables: readonly string[],
  quoteTable: (table: string) => string,
): Promise<ChangesByTable> {
  const { rows } = await session.query(CHANGES, [tables, tables.map(quoteTable)]);
  return new Map(rows.map(({ name, changes }) => [String(name), { changes: Number(changes) }]));
}
