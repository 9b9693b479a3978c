import { ok, problem } from '../sql/check/line.ts';
import type { Probe } from '../sql/check/probe.ts';
import { namesColumn, writeName, writeTable } from '../sql/check/write-name.ts';
import type { MatchedPlace } from '../sql/plan/plan.ts';
import { FIND_TABLES } from './postgres-catalogue-sql.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { exactValue, foldedValue } from './postgres-matching.ts';
import { namesOf } from './postgres-names.ts';
import { checkPublications } from './postgres-publications.ts';
import { checkPostgresRights } from './postgres-rights.ts';

const SERVER = `
  SELECT current_setting('server_version') AS version, current_user::text AS account,
         pg_catalog.pg_is_in_recovery() AS is_standby,
         current_setting('track_counts') = 'on' AS counts,
         EXISTS (SELECT 1 FROM pg_catalog.pg_settings
                 WHERE name = 'default_transaction_read_only' AND reset_val = 'on') AS is_read_only`;

const KINDS: Readonly<Record<string, string>> = {
  v: 'a view',
  m: 'a materialized view',
  f: 'a foreign table',
};

const OTHER_KINDS = `
  SELECT n.written, c.relkind::text AS kind
  FROM unnest($1::text[], $2::text[], $3::text[]) AS n (written, schema, name)
  JOIN pg_catalog.pg_class c ON c.relname = n.name AND c.relkind IN ('v', 'm', 'f')
  JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
  WHERE CASE WHEN n.schema IS NULL THEN pg_catalog.pg_table_is_visible(c.oid)
             ELSE s.nspname = n.schema END`;

// A partition or inheriting table that is a foreign table is changed through its parent, but outside the
// transaction.
const TABLES = `
  SELECT f.written, pg_catalog.row_security_active(f.id::oid) AS hides_rows,
         EXISTS (
           WITH RECURSIVE family AS (
             SELECT f.id::oid AS oid
             UNION
             SELECT h.inhrelid FROM family p JOIN pg_catalog.pg_inherits h ON h.inhparent = p.oid)
           SELECT 1 FROM family p
           JOIN pg_catalog.pg_class c ON c.oid = p.oid WHERE c.relkind = 'f') AS is_partly_foreign
  FROM (${FIND_TABLES}) f`;

const CONSTRAINTS = `
  SELECT k.conname AS name, pg_catalog.pg_get_expr(k.conbin, k.conrelid) AS expression
  FROM (${FIND_TABLES}) f
  JOIN pg_catalog.pg_constraint k ON k.conrelid = f.id::oid AND k.contype = 'c'
  ORDER BY k.conname`;

// An index that starts with another column is read from end to end.
const LEADING = `
  SELECT pg_catalog.pg_get_indexdef(i.indexrelid, 1, true) AS leading
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
  WHERE c.relname = $1`;

export const postgresProbe: Probe = {
  async server(read) {
    const [row = {}] = await read(SERVER);
    const lines = [ok('server', `PostgreSQL ${row.version}, as ${row.account}`)];
    if (row.is_standby === true)
      lines.push(
        problem(
          'server',
          'is a standby, which is read-only and may lag behind; give the address of the primary',
        ),
      );
    if (row.is_read_only === true)
      lines.push(
        problem(
          'server',
          'opens transactions read-only (default_transaction_read_only); set it off for this account',
        ),
      );
    if (row.counts !== true)
      lines.push(
        problem(
          'server',
          'has track_counts off, which Unwrite needs to see what cascades and triggers change; set track_counts = on',
        ),
      );
    return lines;
  },

  async otherKinds(read, tables) {
    const rows = await read(OTHER_KINDS, namesOf(tables));
    return new Map(
      rows.map(({ written, kind }) => [String(written), KINDS[String(kind)] ?? 'no table']),
    );
  },

  async tables(read, tables) {
    const rows = await read(TABLES, namesOf(tables));
    return rows.flatMap(({ written, hides_rows, is_partly_foreign }) => [
      ...(hides_rows === true ? [problem(String(written), hiddenRows(String(written)))] : []),
      ...(is_partly_foreign === true
        ? [
            problem(
              String(written),
              'has a partition or an inheriting table on another server, which no transaction here can roll back; declare that server as a target of its own',
            ),
          ]
        : []),
    ]);
  },

  named: async () => [],
  async constraints(read, table) {
    const rows = await read(CONSTRAINTS, namesOf([table]));
    return rows.map((row) => ({ name: String(row.name), expression: String(row.expression) }));
  },
  typed: ({ type }, placeholder) => `CAST(${placeholder}::text AS ${type})`,
  async rights(read, needs, triggered) {
    const rights = await checkPostgresRights(read, needs, triggered);
    return [...rights, ...(await checkPublications(read, needs))];
  },
  toTheLetter: (text) => `(${text}) COLLATE "C"`,
  endCodes: (text) => ({ first: `ascii(left(${text}, 1))`, last: `ascii(right(${text}, 1))` }),
  explain: 'EXPLAIN (FORMAT JSON, COSTS OFF) ',
  explainsValues: true,
  explainsChangesIn: 'read',
  preferIndexes: 'SET LOCAL enable_seqscan = off',
  asksWithTenant: false,

  async usesIndex(read, { columns, tenant, besides }, plan) {
    for (const { index, condition } of plan.flatMap((row) => indexScans(row['QUERY PLAN']))) {
      if (!columns.every(({ name }) => namesColumn(condition, name))) continue;
      const led = (await read(LEADING, [index])).map((row) => String(row.leading));
      const names = columns.map(({ name }) => name);
      if (
        led.some(
          (key) =>
            (tenant !== null && namesColumn(key, tenant)) ||
            [...besides, ...names].some((name) => namesColumn(key, name)),
        )
      )
        return true;
    }
    return false;
  },

  adviseIndex({ table, columns, isCaseIgnored, tenant, place }) {
    const parts = columns.map(({ name, type }) => {
      if (place !== undefined) return adviseExpression(place, isCaseIgnored);
      const column = writeName(postgresDialect, name);
      if (!isCaseIgnored) return column;
      return `lower(${column}${type === 'text' ? '' : '::text'} COLLATE "C")`;
    });
    const all = tenant === null ? parts : [writeName(postgresDialect, tenant), ...parts];
    return `CREATE INDEX ON ${writeTable(postgresDialect, table)} (${all.join(', ')})`;
  },
};

/** Only an index on exactly this expression can be used. */
function adviseExpression(place: MatchedPlace, isCaseIgnored: boolean): string {
  const quote = (name: string) => writeName(postgresDialect, name);
  return isCaseIgnored ? foldedValue(place, quote) : `(${exactValue(place, quote)})`;
}

/** A scan of a whole index has no condition, so it finds nothing faster. */
function indexScans(plan: unknown): { index: string; condition: string }[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const node = plan as Readonly<Record<string, unknown>>;
  const own =
    node['Index Cond'] === undefined
      ? []
      : [{ index: String(node['Index Name']), condition: String(node['Index Cond']) }];
  return [...own, ...Object.values(node).flatMap(indexScans)];
}

function hiddenRows(table: string): string {
  return `row-level security hides rows of it from this account, so what is left could not be seen; give the account BYPASSRLS, or: ALTER TABLE ${writeTable(postgresDialect, table)} DISABLE ROW LEVEL SECURITY`;
}
