// Foreign keys that refer to some tables of MySQL or MariaDB, from all schemas that the account can see.
import type { ForeignKey, ReferentialAction } from '../sql/catalogue.ts';
import { SqlFailure, type SqlRow, type SqlSession } from '../sql/session.ts';

export interface MysqlKey {
  readonly schema: string;
  readonly table: string;
  readonly referencedSchema: string;
  readonly referencedTable: string;
  readonly shape: Omit<ForeignKey, 'table' | 'referenced'>;
}

const usage = (count: number) => `
  SELECT k.CONSTRAINT_NAME AS name, k.TABLE_SCHEMA AS tableSchema, k.TABLE_NAME AS tableName,
         k.REFERENCED_TABLE_SCHEMA AS referencedSchema, k.REFERENCED_TABLE_NAME AS referencedTable,
         k.COLUMN_NAME AS columnName, k.REFERENCED_COLUMN_NAME AS referencedColumn,
         r.DELETE_RULE AS onDelete, r.UPDATE_RULE AS onUpdate,
         c.IS_NULLABLE = 'NO' OR c.EXTRA LIKE '%GENERATED%' AS isRequired
  FROM information_schema.KEY_COLUMN_USAGE k
  JOIN information_schema.REFERENTIAL_CONSTRAINTS r
    ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME
   AND r.TABLE_NAME = k.TABLE_NAME
  LEFT JOIN information_schema.COLUMNS c
    ON c.TABLE_SCHEMA = k.TABLE_SCHEMA AND c.TABLE_NAME = k.TABLE_NAME AND c.COLUMN_NAME = k.COLUMN_NAME
  WHERE ${Array(count)
    .fill('(k.REFERENCED_TABLE_SCHEMA = ? AND k.REFERENCED_TABLE_NAME = ?)')
    .join(' OR ')}
  ORDER BY k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION`;

// The engine writes names like its files: `shop/order@002dlines`. MariaDB can decode them.
const part = (isMariadb: boolean, column: string, place: 1 | -1) => {
  const text = `substring_index(${column}, '/', ${place})`;
  return isMariadb
    ? `CONVERT(CONVERT(CONVERT(${text} USING binary) USING filename) USING utf8mb4)`
    : text;
};

// Two statements: the server has no index to join them, and would take 15 times as long.
const engineKeys = (isMariadb: boolean) => `
  SELECT ID AS id, TYPE AS flags, N_COLS AS size,
         ${part(isMariadb, 'FOR_NAME', 1)} AS tableSchema,
         ${part(isMariadb, 'FOR_NAME', -1)} AS tableName,
         ${part(isMariadb, 'REF_NAME', 1)} AS referencedSchema,
         ${part(isMariadb, 'REF_NAME', -1)} AS referencedTable
  FROM information_schema.INNODB_${isMariadb ? 'SYS_' : ''}FOREIGN`;
const engineColumns = (isMariadb: boolean) => `
  SELECT ID AS id, FOR_COL_NAME AS columnName, REF_COL_NAME AS referencedColumn, POS AS place
  FROM information_schema.INNODB_${isMariadb ? 'SYS_' : ''}FOREIGN_COLS`;

/** `pairs`: schema and name of each table, one after the other. */
export async function readMysqlKeys(
  session: SqlSession,
  pairs: readonly string[],
): Promise<MysqlKey[]> {
  const { rows } = await session.query(usage(pairs.length / 2), pairs);
  const keys = Map.groupBy(rows, (row) => `${row.tableSchema}\0${row.tableName}\0${row.name}`);
  return [...keys.values()].flatMap(fromUsage);
}

/** If both lists contain a key, the first one is used. */
export function distinctKeys(keys: readonly MysqlKey[]): MysqlKey[] {
  const isUnread = ({ table }: MysqlKey) => table.includes('@');
  const idOf = ({ schema, table, shape }: MysqlKey) => `${schema}\0${table}\0${shape.name}`;
  const read = new Set(
    keys.filter((key) => !isUnread(key)).map(({ schema, shape }) => `${schema}\0${shape.name}`),
  );
  // Its name could not be decoded, so no plan could name this table.
  const named = keys.filter(
    (key) => !isUnread(key) || !read.has(`${key.schema}\0${key.shape.name}`),
  );
  return [...Map.groupBy(named, idOf).values()].flatMap(([first]) => first ?? []);
}

/**
 * The engine's own list has the keys of all tables, including those on which the account has no rights; but
 * only accounts with PROCESS can read it.
 */
export async function readEngineKeys(session: SqlSession): Promise<MysqlKey[]> {
  const version = String((await session.query('SELECT version() AS version')).rows[0]?.version);
  const isMariadb = /mariadb/i.test(version);
  try {
    const keys = (await session.query(engineKeys(isMariadb))).rows;
    if (keys.length === 0) return [];
    const columns = (await session.query(engineColumns(isMariadb))).rows;
    const byId = Map.groupBy(columns, ({ id }) => String(id));
    const read = isMariadb ? String : readFileName;
    return keys.map((key) => fromEngine(key, byId.get(String(key.id)) ?? [], read));
  } catch (error) {
    if (error instanceof SqlFailure && error.kind === 'other') return [];
    throw error;
  }
}

function fromUsage(parts: readonly SqlRow[]): MysqlKey[] {
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
        ...requiredOf(parts),
        onDelete: String(first.onDelete).toLowerCase().replace(' ', '_') as ReferentialAction,
        onUpdate: String(first.onUpdate).toLowerCase().replace(' ', '_') as ReferentialAction,
      },
    },
  ];
}

function requiredOf(parts: readonly SqlRow[]) {
  const required = parts.filter(({ isRequired }) => Number(isRequired) === 1);
  return required.length > 0 && { required: required.map(({ columnName }) => String(columnName)) };
}

function fromEngine(
  key: SqlRow,
  columns: readonly SqlRow[],
  read: (name: unknown) => string,
): MysqlKey {
  const flags = Number(key.flags);
  // From MariaDB 12.1 on, several keys may have the same id; then their columns cannot be told apart.
  const own = columns.length === Number(key.size) ? [...columns] : [];
  return {
    schema: read(key.tableSchema),
    table: read(key.tableName),
    referencedSchema: read(key.referencedSchema),
    referencedTable: read(key.referencedTable),
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

// Letters beyond ASCII have shorter forms, which are left unchanged.
function readFileName(name: unknown): string {
  return String(name).replaceAll(/@([0-9a-f]{4})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
