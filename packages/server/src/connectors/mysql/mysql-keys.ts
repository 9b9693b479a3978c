// Foreign keys that refer to some tables of MySQL or MariaDB, from all schemas that the account can see.
import type { ForeignKey, ReferentialAction } from '../sql/catalogue.ts';
import { SqlFailure, type SqlRow, type SqlSession } from '../sql/session.ts';
import { readHiddenAction } from './hidden-actions.ts';
import { isStoredAlike } from './stored-alike.ts';

export interface MysqlKey {
  readonly schema: string;
  readonly table: string;
  readonly referencedSchema: string;
  readonly referencedTable: string;
  readonly shape: Omit<ForeignKey, 'table' | 'referenced'>;
}

const either = (count: number, condition: string) => Array(count).fill(condition).join(' OR ');

// Three statements: joined by the server, which then opens every table and view that it has for the columns
// alone, they take ten times as long (measured: 29 ms and 3 ms, on a server without other databases).
const usage = (count: number) => `
  SELECT CONSTRAINT_NAME AS name, TABLE_SCHEMA AS tableSchema, TABLE_NAME AS tableName,
         REFERENCED_TABLE_SCHEMA AS referencedSchema, REFERENCED_TABLE_NAME AS referencedTable,
         COLUMN_NAME AS columnName, REFERENCED_COLUMN_NAME AS referencedColumn
  FROM information_schema.KEY_COLUMN_USAGE
  WHERE ${either(count, '(REFERENCED_TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME = ?)')}
  ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;
const actions = (count: number) => `
  SELECT CONSTRAINT_SCHEMA AS tableSchema, TABLE_NAME AS tableName, CONSTRAINT_NAME AS name,
         DELETE_RULE AS onDelete, UPDATE_RULE AS onUpdate
  FROM information_schema.REFERENTIAL_CONSTRAINTS
  WHERE ${either(count, '(CONSTRAINT_SCHEMA = ? AND TABLE_NAME = ?)')}`;
const columns = (count: number) => `
  SELECT TABLE_SCHEMA AS tableSchema, TABLE_NAME AS tableName, COLUMN_NAME AS columnName,
         COLUMN_TYPE AS type, COLLATION_NAME AS collation,
         (IS_NULLABLE = 'NO' OR EXTRA LIKE '%GENERATED%') AS isRequired
  FROM information_schema.COLUMNS
  WHERE ${either(count, '(TABLE_SCHEMA = ? AND TABLE_NAME = ?)')}`;

// MariaDB's engine writes names like its files: `shop/order@002dlines`. MySQL writes them as they are.
const part = (isMariadb: boolean, column: string, place: 1 | -1) => {
  if (!isMariadb) return column;
  const text = `substring_index(${column}, '/', ${place})`;
  return `CONVERT(CONVERT(CONVERT(${text} USING binary) USING filename) USING utf8mb4)`;
};

// Two statements: the server has no index to join them, and would take 15 times as long. The order must be
// the same whenever nothing has changed.
const engineKeys = (isMariadb: boolean) => `
  SELECT ID AS id, TYPE AS flags, N_COLS AS size,
         ${part(isMariadb, 'FOR_NAME', 1)} AS tableSchema,
         ${part(isMariadb, 'FOR_NAME', -1)} AS tableName,
         ${part(isMariadb, 'REF_NAME', 1)} AS referencedSchema,
         ${part(isMariadb, 'REF_NAME', -1)} AS referencedTable
  FROM information_schema.INNODB_${isMariadb ? 'SYS_' : ''}FOREIGN ORDER BY ID, FOR_NAME`;
const engineColumns = (isMariadb: boolean) => `
  SELECT ID AS id, FOR_COL_NAME AS columnName, REF_COL_NAME AS referencedColumn, POS AS place
  FROM information_schema.INNODB_${isMariadb ? 'SYS_' : ''}FOREIGN_COLS`;

/** `pairs`: schema and name of each table, one after the other. */
export async function readMysqlKeys(
  session: SqlSession,
  pairs: readonly string[],
): Promise<MysqlKey[]> {
  const { rows } = await session.query(usage(pairs.length / 2), pairs);
  if (rows.length === 0) return [];
  const referring = new Map(rows.map((row) => [tableOf(row), [row.tableSchema, row.tableName]]));
  const tables = [...referring.values()].flat().map(String);
  const actionRows = (await session.query(actions(referring.size), tables)).rows;
  const both = [...tables, ...pairs];
  const columnRows = (await session.query(columns(both.length / 2), both)).rows;
  const actionsOf = new Map(actionRows.map((row) => [keyOf(row), row]));
  const columnsByName = new Map(columnRows.map((row) => [columnOf(row), row]));
  const found: MysqlKey[] = [];
  for (const [key, parts] of Map.groupBy(rows, keyOf)) {
    const action = actionsOf.get(key) ?? (await readHiddenAction(session, parts[0] ?? {}));
    if (action !== undefined) found.push(...fromUsage(parts, action, columnsByName));
  }
  return found;
}

const tableOf = ({ tableSchema, tableName }: SqlRow) => `${tableSchema}\0${tableName}`;
const keyOf = (row: SqlRow) => `${tableOf(row)}\0${row.name}`;
/** Names of columns are case-insensitive. */
const columnOf = (row: SqlRow) => `${tableOf(row)}\0${String(row.columnName).toLowerCase()}`;
const referencedColumnOf = (row: SqlRow) =>
  columnOf({
    tableSchema: row.referencedSchema,
    tableName: row.referencedTable,
    columnName: row.referencedColumn,
  });

/** If both lists contain a key, the first one is used. */
export function distinctKeys(keys: readonly MysqlKey[]): MysqlKey[] {
  const idOf = ({ schema, table, shape }: MysqlKey) => `${schema}\0${table}\0${shape.name}`;
  return [...Map.groupBy(keys, idOf).values()].flatMap(([first]) => first ?? []);
}

/**
 * The engine's own list has the keys of all tables, including those on which the account has no rights; but
 * only accounts with PROCESS can read it. Undefined for others.
 */
export async function readEngineKeys(session: SqlSession): Promise<MysqlKey[] | undefined> {
  const version = String((await session.query('SELECT version() AS version')).rows[0]?.version);
  const isMariadb = /mariadb/i.test(version);
  try {
    const keys = (await session.query(engineKeys(isMariadb))).rows;
    if (keys.length === 0) return [];
    const columns = (await session.query(engineColumns(isMariadb))).rows;
    const byId = Map.groupBy(columns, ({ id }) => String(id));
    const split = isMariadb ? keys : keys.flatMap(splitNames);
    return split.map((key) => fromEngine(key, byId.get(String(key.id)) ?? []));
  } catch (error) {
    if (error instanceof SqlFailure && error.kind === 'other') return undefined;
    throw error;
  }
}

function fromUsage(
  parts: readonly SqlRow[],
  { onDelete, onUpdate }: SqlRow,
  columnsByName: ReadonlyMap<string, SqlRow>,
): MysqlKey[] {
  const first = parts[0];
  if (first === undefined) return [];
  return [
    {
      schema: String(first.tableSchema),
      table: String(first.tableName),
      referencedSchema: String(first.referencedSchema),
      referencedTable: String(first.referencedTable),
      shape: {
        name: String(first.name),
        ...columnsOf(parts),
        ...requiredOf(parts, columnsByName),
        ...unlikeOf(parts, columnsByName),
        onDelete: String(onDelete).toLowerCase().replace(' ', '_') as ReferentialAction,
        onUpdate: String(onUpdate).toLowerCase().replace(' ', '_') as ReferentialAction,
      },
    },
  ];
}

function requiredOf(parts: readonly SqlRow[], columnsByName: ReadonlyMap<string, SqlRow>) {
  const found = parts.filter((part) => Number(columnsByName.get(columnOf(part))?.isRequired) === 1);
  return found.length > 0 && { required: found.map(({ columnName }) => String(columnName)) };
}

function unlikeOf(parts: readonly SqlRow[], columnsByName: ReadonlyMap<string, SqlRow>) {
  const found = parts.flatMap((part) => {
    const own = columnsByName.get(columnOf(part));
    const other = columnsByName.get(referencedColumnOf(part));
    if (own === undefined || other === undefined) return [];
    const [type, referencedType] = [String(own.type), String(other.type)];
    if (isStoredAlike(type, referencedType, String(own.collation))) return [];
    return { column: String(part.columnName), type, referencedType };
  });
  return found.length > 0 && { unlike: found };
}

function fromEngine(key: SqlRow, columns: readonly SqlRow[]): MysqlKey {
  const flags = Number(key.flags);
  // From MariaDB 12.1 on, several keys may have the same id; then their columns cannot be told apart.
  const own = columns.length === Number(key.size) ? [...columns] : [];
  return {
    schema: String(key.tableSchema),
    table: String(key.tableName),
    referencedSchema: String(key.referencedSchema),
    referencedTable: String(key.referencedTable),
    shape: {
      name: String(key.id).replace(/^[^/]*\//, ''),
      ...columnsOf(own.sort((a, b) => Number(a.place) - Number(b.place))),
      onDelete: actionOf(flags & 1, flags & 2),
      onUpdate: actionOf(flags & 4, flags & 8),
    },
  };
}

function columnsOf(parts: readonly SqlRow[]): Pick<ForeignKey, 'columns' | 'referencedColumns'> {
  return {
    columns: parts.map(({ columnName }) => String(columnName)),
    referencedColumns: parts.map(({ referencedColumn }) => String(referencedColumn)),
  };
}

function actionOf(cascade: number, setNull: number): ReferentialAction {
  if (cascade > 0) return 'cascade';
  return setNull > 0 ? 'set_null' : 'restrict';
}

/**
 * The names of MySQL's list, which may themselves contain the "/" that separates them: for the referenced table each way
 * to read it, so that none is overlooked.
 */
function splitNames(key: SqlRow): SqlRow[] {
  const [[tableSchema, tableName] = ['', '']] = waysToSplit(String(key.tableName));
  return waysToSplit(String(key.referencedTable)).map(([referencedSchema, referencedTable]) => ({
    ...key,
    tableSchema,
    tableName,
    referencedSchema,
    referencedTable,
  }));
}

function waysToSplit(text: string): (readonly [schema: string, table: string])[] {
  const parts = text.split('/');
  return parts
    .slice(1)
    .map((_, at) => [parts.slice(0, at + 1).join('/'), parts.slice(at + 1).join('/')]);
}
