// Foreign keys that refer to some tables of MySQL or MariaDB, from wherever they can be seen.
import type { ForeignKey, ReferentialAction } from './catalogue.ts';
import { SqlFailure, type SqlRow, type SqlSession } from './session.ts';

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
         r.DELETE_RULE AS onDelete, r.UPDATE_RULE AS onUpdate
  FROM information_schema.KEY_COLUMN_USAGE k
  JOIN information_schema.REFERENTIAL_CONSTRAINTS r
    ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME
   AND r.TABLE_NAME = k.TABLE_NAME
  WHERE ${Array(count)
    .fill('(k.REFERENCED_TABLE_SCHEMA = ? AND k.REFERENCED_TABLE_NAME = ?)')
    .join(' OR ')}
  ORDER BY k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION`;

const engine = (isMariadb: boolean) => `
  SELECT f.ID AS id, f.FOR_NAME AS child, f.REF_NAME AS parent, f.TYPE AS flags,
         c.FOR_COL_NAME AS columnName, c.REF_COL_NAME AS referencedColumn
  FROM information_schema.INNODB_${isMariadb ? 'SYS_' : ''}FOREIGN f
  JOIN information_schema.INNODB_${isMariadb ? 'SYS_' : ''}FOREIGN_COLS c ON c.ID = f.ID
  ORDER BY f.ID, c.POS`;

/** `pairs`: schema and name of each table, one after the other. */
export async function readMysqlKeys(
  session: SqlSession,
  pairs: readonly string[],
): Promise<MysqlKey[]> {
  const { rows } = await session.query(usage(pairs.length / 2), pairs);
  const keys = Map.groupBy(rows, (row) => `${row.tableSchema}\0${row.tableName}\0${row.name}`);
  return [...keys.values()].flatMap(fromUsage);
}

/** Of what both lists hold, the first. */
export function distinctKeys(keys: readonly MysqlKey[]): MysqlKey[] {
  const byName = Map.groupBy(
    keys,
    ({ schema, table, shape }) => `${schema}\0${table}\0${shape.name}`,
  );
  return [...byName.values()].flatMap(([first]) => first ?? []);
}

/**
 * The engine's own list shows the keys of all tables, also of those that the account has no rights
 * on; but only to accounts with PROCESS.
 */
export async function readEngineKeys(session: SqlSession): Promise<MysqlKey[]> {
  const version = String((await session.query('SELECT version() AS version')).rows[0]?.version);
  try {
    const { rows } = await session.query(engine(/mariadb/i.test(version)));
    return [...Map.groupBy(rows, ({ id }) => String(id)).values()].flatMap(fromEngine);
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
        onDelete: String(first.onDelete).toLowerCase().replace(' ', '_') as ReferentialAction,
        onUpdate: String(first.onUpdate).toLowerCase().replace(' ', '_') as ReferentialAction,
      },
    },
  ];
}

function fromEngine(parts: readonly SqlRow[]): MysqlKey[] {
  const first = parts[0];
  if (first === undefined) return [];
  const [schema = '', table = ''] = splitFileName(first.child);
  const [referencedSchema = '', referencedTable = ''] = splitFileName(first.parent);
  const flags = Number(first.flags);
  return [
    {
      schema,
      table,
      referencedSchema,
      referencedTable,
      shape: {
        name: splitFileName(first.id)[1] ?? String(first.id),
        ...columnsOf(parts),
        onDelete: actionOf(flags & 1, flags & 2),
        onUpdate: actionOf(flags & 4, flags & 8),
      },
    },
  ];
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

// The engine writes names as files are called: `shop/order@002dlines`.
function splitFileName(name: unknown): string[] {
  return String(name)
    .split('/')
    .map((part) =>
      part.replaceAll(/@([0-9a-f]{4})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    );
}
