import type { ColumnShape } from '../sql/catalogue.ts';
import { storageLines } from '../sql/check/check-storage.ts';
import { ok, problem } from '../sql/check/line.ts';
import type { Probe, Read } from '../sql/check/probe.ts';
import { indexName, writeName, writeTable } from '../sql/check/write-name.ts';
import type { MatchedPlace } from '../sql/plan/plan.ts';
import type { SqlRow } from '../sql/session.ts';
import { splitTableName } from '../sql/table-name.ts';
import { writeJsonPath } from '../sql/write-json-path.ts';
import { lacksCharacter } from './character-sets.ts';
import { readTransactional, storageOf } from './mysql-catalogue.ts';
import { readMysqlConstraints, typedForMysql } from './mysql-constraints.ts';
import { mysqlDialect } from './mysql-dialect.ts';
import { checkMysqlRights } from './mysql-rights.ts';
import { takesValue } from './takes-value.ts';

const SERVER = `
  SELECT version() AS version, current_user() AS account, database() AS name,
         @@global.read_only AS isReadOnly, @@global.innodb_read_only AS isEngineReadOnly`;

const TABLE = `
  SELECT TABLE_TYPE AS type FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ?`;

const named = (list: string) => `
  SELECT t.TABLE_SCHEMA AS tableSchema, t.TABLE_NAME AS tableName, t.TABLE_TYPE AS type,
         t.ENGINE AS engine, t.TABLE_SCHEMA = database() AS isCurrent
  FROM information_schema.TABLES t
  WHERE t.TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED') AND t.TABLE_NAME IN (${list})
    AND (t.TABLE_SCHEMA = database() OR t.TABLE_SCHEMA IN (${list}))
    AND t.TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')`;

const INDEXES = `
  SELECT INDEX_NAME AS name, COLUMN_NAME AS columnName
  FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ?
  ORDER BY INDEX_NAME, SEQ_IN_INDEX`;

/** An index on such a column can contain only a prefix. */
const UNBOUNDED = /^(tiny|medium|long)?(text|blob)/;

export const mysqlProbe: Probe = {
  async server(read) {
    const [row = {}] = await read(SERVER);
    const product = /mariadb/i.test(String(row.version)) ? 'MariaDB' : 'MySQL';
    const version = String(row.version).split('-')[0];
    const lines = [ok('server', `${product} ${version}, as ${row.account}`)];
    if (row.name === null)
      lines.push(
        problem('server', 'no database is chosen; add its name to the address: mysql://…/name'),
      );
    if (isOn(row.isReadOnly) || isOn(row.isEngineReadOnly))
      lines.push(
        problem('server', 'is read-only: a replica, or locked; give the address of the primary'),
      );
    return lines;
  },

  async otherKinds(read, tables) {
    const kinds = new Map<string, string>();
    for (const table of tables) {
      const type = String((await readTable(read, table))?.type ?? '');
      if (type.endsWith('VIEW')) kinds.set(table, 'a view');
      else if (type === 'SEQUENCE') kinds.set(table, 'a sequence');
    }
    return kinds;
  },

  // Everything that could be wrong with a table is in the catalogue.
  tables: async () => [],
  async named(read, words) {
    if (words.length === 0) return [];
    const list = words.map(() => '?').join(', ');
    const rows = await read(named(list), [...words, ...words]);
    const engines = await readTransactional(async (sql) => ({ rows: await read(sql) }));
    return rows.flatMap((row) =>
      storageLines(mysqlDialect, writtenName(row), storageOf(row, engines)),
    );
  },

  constraints: readMysqlConstraints,
  lacks: lacksCharacter,
  takes: takesValue,
  typed: typedForMysql,
  rights: checkMysqlRights,
  toTheLetter: (text) => `hex(${text})`,
  endCodes: (text) => ({ first: `ORD(LEFT(${text}, 1))`, last: `ORD(RIGHT(${text}, 1))` }),
  explain: 'EXPLAIN ',
  explainsValues: false,
  explainsChangesIn: 'write',
  preferIndexes: null,
  asksWithTenant: true,

  async usesIndex(read, { table, columns, tenant, besides, place }, plan) {
    // No index covers an expression that contains our own values.
    if (place !== undefined) return false;
    // If no table is named, the server has already looked up the rows by a unique index.
    const possible = plan.flatMap((row) => String(row.possible_keys ?? '').split(','));
    const isSolved = plan.every((row) => row.table === null);
    const { schema, name } = splitTableName(table);
    const indexes = Map.groupBy(await read(INDEXES, [schema, name]), (row) => String(row.name));
    const wanted = new Set(columns.map((column) => column.name));
    return [...indexes].some(([index, parts]) => {
      const names = parts.map(({ columnName }) => String(columnName));
      const start = names.findIndex((name) => name !== tenant && !besides.includes(name));
      const led = names.slice(Math.max(0, start));
      const serves = [...wanted].every((column) => led.slice(0, wanted.size).includes(column));
      return serves && (isSolved || possible.includes(index));
    });
  },

  adviseIndex({ table, columns, isCaseIgnored, tenant, place }) {
    if (place !== undefined) return adviseColumn(table, place);
    const names = [...(tenant === null ? [] : [tenant]), ...columns.map(({ name }) => name)];
    const parts = names.map((name) => {
      const type = columns.find((column) => column.name === name)?.type ?? '';
      return writeName(mysqlDialect, name) + (UNBOUNDED.test(type) ? '(100)' : '');
    });
    const create = `CREATE INDEX ${indexName(table, names)} ON ${writeTable(mysqlDialect, table)} (${parts.join(', ')})`;
    const folded = isCaseIgnored ? columns.find(isFolded) : undefined;
    return folded === undefined
      ? create
      : `${create}, and give the column a collation that ignores case for every language, such as utf8mb4_general_ci (now ${folded.collation ?? 'none'})`;
  },
};

/** On MySQL and MariaDB an index is on columns, so a generated column must contain the value. */
function adviseColumn(table: string, { column, path, trim }: MatchedPlace): string {
  const name = writeTable(mysqlDialect, table);
  const own = writeName(mysqlDialect, column.name);
  if (path === null)
    return `no index, as none serves "trim"; take the blanks away (UPDATE ${name} SET ${own} = TRIM(${own})), then leave "trim" out`;
  const added = writeName(mysqlDialect, `${column.name}_${String(path.at(-1))}`);
  return `a column that holds the value, with an index (ALTER TABLE ${name} ADD COLUMN ${added} VARCHAR(320) COLLATE utf8mb4_general_ci AS (JSON_UNQUOTE(JSON_EXTRACT(${own}, '${writeJsonPath(path).replaceAll("'", "''")}'))) VIRTUAL, ADD INDEX (${added})), and match on ${added}${trim ? ', with "trim" only where there are blanks' : ''}`;
}

/** Whether the preview has to fold every row's email itself, without an index. */
function isFolded(column: ColumnShape): boolean {
  return mysqlDialect.amongFolded(column, [''], () => '?', false).startsWith('LOWER(');
}

function writtenName({ tableSchema, tableName, isCurrent }: SqlRow): string {
  return Number(isCurrent) === 1 ? `${tableName}` : `${tableSchema}.${tableName}`;
}

async function readTable(read: Read, table: string) {
  const { schema, name } = splitTableName(table);
  return (await read(TABLE, [schema, name]))[0];
}

// Newer MariaDB servers have more than two values; all except OFF mean read-only.
function isOn(value: unknown): boolean {
  return !/^(0|off|false)$/i.test(String(value));
}
