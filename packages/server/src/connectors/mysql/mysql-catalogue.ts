import { byName } from '../../domain/by-name.ts';
import type { Catalogue, ColumnKind, ColumnShape, DistinctRule } from '../sql/catalogue.ts';
import { type FoundTable, followKeys } from '../sql/catalogue-follow.ts';
import { toRules } from '../sql/distinct-rules.ts';
import type { SqlRow, SqlSession } from '../sql/session.ts';
import { splitTableName } from '../sql/table-name.ts';
import { readAmbiguousSets } from './character-sets.ts';
import { plainExpression } from './escaped-expression.ts';
import { findHiddenColumns } from './hidden-columns.ts';
import { distinctKeys, type MysqlKey, readEngineKeys, readMysqlKeys } from './mysql-keys.ts';
import { readSight } from './mysql-sight.ts';
import { readTriggers } from './mysql-triggers.ts';

/** A user-defined type may have any name. */
const KINDS = byName<ColumnKind>(
  Object.entries({
    char: 'text',
    varchar: 'text',
    tinytext: 'text',
    text: 'text',
    mediumtext: 'text',
    longtext: 'text',
    tinyint: 'integer',
    smallint: 'integer',
    mediumint: 'integer',
    int: 'integer',
    bigint: 'integer',
    decimal: 'decimal',
    uuid: 'uuid',
    binary: 'binary',
    varbinary: 'binary',
    tinyblob: 'binary',
    blob: 'binary',
    mediumblob: 'binary',
    longblob: 'binary',
  }),
);

const DATABASE = `
  SELECT database() AS name, @@lower_case_table_names AS folds`;
// The (schema, table) pairs are written out: only then does the server open just these tables.
const among = (count: number) =>
  Array(count).fill('(TABLE_SCHEMA = ? AND TABLE_NAME = ?)').join(' OR ');

const tables = (count: number) => `
  SELECT TABLE_SCHEMA AS tableSchema, TABLE_NAME AS tableName, TABLE_TYPE AS type, ENGINE AS engine
  FROM information_schema.TABLES
  WHERE TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') AND (${among(count)})`;
const columns = (count: number) => `
  SELECT TABLE_SCHEMA AS tableSchema, TABLE_NAME AS tableName, COLUMN_NAME AS name,
         DATA_TYPE AS base, COLUMN_TYPE AS type, IS_NULLABLE AS isNullable,
         GENERATION_EXPRESSION AS generation, CHARACTER_MAXIMUM_LENGTH AS maxLength,
         COLLATION_NAME AS collation, CHARACTER_SET_NAME AS characterSet, EXTRA AS extra
  FROM information_schema.COLUMNS WHERE ${among(count)} ORDER BY ORDINAL_POSITION`;
const indexes = (count: number) => `
  SELECT TABLE_SCHEMA AS tableSchema, TABLE_NAME AS tableName, INDEX_NAME AS name,
         COLUMN_NAME AS columnName, SUB_PART AS prefix, s.*
  FROM information_schema.STATISTICS s WHERE NON_UNIQUE = 0 AND (${among(count)})
  ORDER BY INDEX_NAME, SEQ_IN_INDEX`;
/**
 * Also returns the shapes of tables outside the plan that foreign keys reach and may change. Keys of tables
 * on which the account has no rights are visible only with PROCESS, and triggers only with TRIGGER: the
 * check says so.
 */
export async function readMysqlCatalogue(
  session: SqlSession,
  plan: readonly string[],
  leads: readonly string[] = [],
): Promise<Catalogue> {
  const database = (await session.query(DATABASE)).rows[0];
  const current = String(database?.name);
  // On such servers the case of names does not matter; on others, names that differ in case are two tables.
  const fold = (name: string) => (Number(database?.folds) === 0 ? name : name.toLowerCase());
  const idOf = (schema: unknown, name: unknown) => `${fold(`${schema}`)}\0${fold(`${name}`)}`;
  const tableId = (row: SqlRow) => idOf(row.tableSchema, row.tableName);
  const nameOf = (schema: string, name: string) =>
    fold(schema) === fold(current) && !name.includes('.') ? name : `${schema}.${name}`;

  const withId = (written: string): [string, string] => {
    const { schema, name } = splitTableName(written);
    return [written, idOf(schema ?? current, name)];
  };
  const led = new Set(leads.map(withId).map(([, id]) => id));

  const engines = await readTransactional((sql) => session.query(sql));
  const keyedId = (key: MysqlKey) => idOf(key.referencedSchema, key.referencedTable);
  const engineKeys = await readEngineKeys(session);
  const sight = await readSight(session, engineKeys !== undefined);

  async function read(ids: readonly string[]): Promise<FoundTable[]> {
    const pairs = ids.flatMap((id) => id.split('\0'));
    const query = async (sql: (count: number) => string) =>
      Map.groupBy((await session.query(sql(ids.length), pairs)).rows, tableId);
    const visible = new Map(
      [...(await query(tables))].filter(([id, [row]]) => row?.type !== 'VIEW' || led.has(id)),
    );
    const seen = [...visible].flatMap(([id, [row]]) =>
      row === undefined ? [] : { id, schema: `${row.tableSchema}`, table: `${row.tableName}` },
    );
    // First of all: from here to the end of the transaction, nobody can alter these tables.
    const hiding = new Set((await findHiddenColumns(session, seen)).map(({ id }) => id));
    const [columnRows, indexRows] = [await query(columns), await query(indexes)];
    const sets = [...columnRows.values()].flat().flatMap((row) => encodingOf(row) ?? []);
    const ambiguous = await readAmbiguousSets(session, [...new Set(sets)]);
    const toColumn = (row: SqlRow) => columnOf(row, ambiguous);
    const triggers = await readTriggers(session, pairs, tableId);
    const keys = [...(await readMysqlKeys(session, pairs)), ...(engineKeys ?? [])];
    const keysTo = Map.groupBy(keys, keyedId);
    // A table with a foreign key exists even if the account may not see it: it is listed without columns.
    const hidden = new Map(keys.map((key) => [idOf(key.schema, key.table), key]));
    const found = ids.flatMap((id) => {
      const row = visible.get(id)?.[0];
      if (row !== undefined) return { id, schema: `${row.tableSchema}`, table: `${row.tableName}` };
      const key = hidden.get(id);
      return key === undefined ? [] : { id, schema: key.schema, table: key.table };
    });
    return found.map(({ id, schema, table }) => ({
      id,
      name: nameOf(schema, table),
      ...(hiding.has(id) && { columnsHiddenFrom: sight.account }),
      ...(sight.hidesKeys && { keysHiddenFrom: sight.account }),
      ...(engineKeys === undefined && { changesHiddenFrom: sight.account }),
      ...(sight.hidesTriggersOf(schema, table) && { triggersHiddenFrom: sight.account }),
      columns: new Map((columnRows.get(id) ?? []).map(toColumn).map((one) => [one.name, one])),
      ...uniquesOf(indexRows.get(id) ?? []),
      ...identityOf(columnRows.get(id) ?? [], indexRows.get(id) ?? []),
      rules: rulesOf(indexRows.get(id) ?? [], columnRows.get(id) ?? []),
      triggers: triggers.get(id) ?? [],
      ...(visible.get(id)?.[0]?.type === 'VIEW' && { isLockable: false }),
      ...storageOf(visible.get(id)?.[0], engines),
      referencedBy: distinctKeys(keysTo.get(id) ?? []).map((key) => ({
        ...key.shape,
        tableId: idOf(key.schema, key.table),
        tableName: nameOf(key.schema, key.table),
      })),
    }));
  }

  return followKeys(new Map([...leads, ...plan].map(withId)), leads, read);
}

/** Nothing is known about a table that the account cannot see; the missing right is reported elsewhere. */
export function storageOf(
  row: SqlRow | undefined,
  transactional: ReadonlySet<string>,
): Pick<FoundTable, 'withoutTransactions' | 'keepsHistory'> {
  // A view has no engine of its own.
  const isSafe = row === undefined || row.type === 'VIEW' || transactional.has(String(row.engine));
  return {
    withoutTransactions: isSafe ? null : String(row.engine),
    keepsHistory: row?.type === 'SYSTEM VERSIONED',
  };
}

/**
 * The engines with transactions. A separate statement, because MariaDB 10.11 crashed now and then on a
 * prepared statement that joins two tables of its information_schema.
 */
export async function readTransactional(
  query: (sql: string) => Promise<{ readonly rows: readonly SqlRow[] }>,
): Promise<Set<string>> {
  const { rows } = await query(
    'SELECT ENGINE AS engine, TRANSACTIONS AS transactions FROM information_schema.ENGINES',
  );
  return new Set(rows.filter((row) => row.transactions === 'YES').map((row) => String(row.engine)));
}

/** Undefined if values are transferred as they are stored. */
function encodingOf({ base, characterSet }: SqlRow): string | undefined {
  const isText = KINDS[String(base)] === 'text' && characterSet !== null;
  return isText && characterSet !== 'utf8mb4' ? String(characterSet) : undefined;
}

function columnOf(row: SqlRow, ambiguous: ReadonlySet<string>): ColumnShape {
  const encoding = encodingOf(row);
  const kind = KINDS[String(row.base)] ?? 'other';
  return {
    name: String(row.name),
    kind,
    type: String(row.type),
    base: String(row.base),
    isNullable: row.isNullable === 'YES',
    isGenerated: row.generation !== null && String(row.generation) !== '',
    ...(/on update/i.test(String(row.extra)) && { isRenewed: true }),
    maxLength: kind === 'text' && row.maxLength !== null ? Number(row.maxLength) : null,
    collation: row.collation === null ? null : String(row.collation),
    ...(encoding !== undefined && {
      encoding: { name: encoding, isAmbiguous: ambiguous.has(encoding) },
    }),
  };
}

/**
 * If nothing else tells rows apart, all their values do. Rows with the same values are equal, and are
 * deleted together. The values are hashed one by one, because a text of all of them might be longer than
 * the server allows.
 */
function identityOf(
  columnRows: readonly SqlRow[],
  indexRows: readonly SqlRow[],
): Pick<FoundTable, 'rowIdentity'> {
  const { primaryKey } = uniquesOf(indexRows);
  if (primaryKey.length > 0 || columnRows.length === 0) return {};
  const from = columnRows.map(({ name }) => String(name));
  const hashes = from.map(
    (name) => `IFNULL(SHA2(CAST(\`${name.replaceAll('`', '``')}\` AS BINARY), 256), '-')`,
  );
  const column: ColumnShape = {
    name: 'all values',
    kind: 'other',
    type: 'char(64)',
    isNullable: false,
    isGenerated: true,
    maxLength: null,
    collation: null,
    computed: { sql: `SHA2(CONCAT_WS(',', ${hashes.join(', ')}), 256)`, from },
  };
  return { rowIdentity: [column] };
}

function rulesOf(indexes: readonly SqlRow[], columnRows: readonly SqlRow[]): DistinctRule[] {
  const found = [...Map.groupBy(indexes, ({ name }) => String(name))].map(([name, parts]) => ({
    name,
    columns: parts.flatMap(({ columnName }) => (columnName === null ? [] : String(columnName))),
    // Only newer versions of MySQL have this column: MariaDB has no indexes on expressions.
    expressions: parts.flatMap(({ columnName, EXPRESSION }) =>
      columnName === null ? plainExpression(String(EXPRESSION ?? '')) : [],
    ),
  }));
  const computed = columnRows.filter(({ generation }) => `${generation ?? ''}` !== '');
  return toRules(
    found,
    columnRows.map(({ name }) => String(name)),
    new Map(
      computed.map(({ name, generation }) => [String(name), plainExpression(String(generation))]),
    ),
  );
}

// An index on a prefix of a column, or on an expression, does not identify rows.
function uniquesOf(rows: readonly SqlRow[]): Pick<FoundTable, 'primaryKey' | 'uniques'> {
  const whole = [...Map.groupBy(rows, ({ name }) => String(name))]
    .filter(([, parts]) =>
      parts.every(({ columnName, prefix }) => columnName !== null && prefix === null),
    )
    .map(([name, parts]) => ({ name, columns: parts.map((part) => String(part.columnName)) }));
  return {
    primaryKey: whole.find(({ name }) => name === 'PRIMARY')?.columns ?? [],
    uniques: whole.filter(({ name }) => name !== 'PRIMARY').map((unique) => unique.columns),
  };
}
