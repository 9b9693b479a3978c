import { byName } from '../../domain/by-name.ts';
import type {
  Catalogue,
  ColumnKind,
  ColumnShape,
  ReferentialAction,
  Trigger,
} from '../sql/catalogue.ts';
import { type FoundTable, followKeys } from '../sql/catalogue-follow.ts';
import type { SqlSession } from '../sql/session.ts';
import { splitTableName } from '../sql/table-name.ts';
import { FIND_TABLES, READ_TABLES } from './postgres-catalogue-sql.ts';

/** A type of the operator's may have any name. */
const KINDS = byName<ColumnKind>(
  Object.entries({
    text: 'text',
    varchar: 'text',
    bpchar: 'text',
    citext: 'text',
    name: 'text',
    int2: 'integer',
    int4: 'integer',
    int8: 'integer',
    numeric: 'decimal',
    uuid: 'uuid',
    bytea: 'binary',
  }),
);

const ACTIONS: Readonly<Record<string, ReferentialAction>> = {
  a: 'no_action',
  r: 'restrict',
  c: 'cascade',
  n: 'set_null',
  d: 'set_default',
};

/** A table as READ_TABLES writes it. */
interface PostgresTable {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly (Omit<ColumnShape, 'kind'> & { readonly base: string })[];
  readonly uniques: readonly { readonly isPrimary: boolean; readonly columns: readonly string[] }[];
  readonly triggers: readonly Trigger[];
  readonly keys: readonly {
    readonly name: string;
    readonly tableId: string;
    readonly tableName: string;
    readonly columns: readonly string[];
    readonly referencedColumns: readonly string[];
    readonly onDelete: string;
    readonly onUpdate: string;
  }[];
}

/** Also holds the shapes of unnamed tables that foreign keys reach and may change. */
export async function readPostgresCatalogue(
  session: SqlSession,
  tables: readonly string[],
): Promise<Catalogue> {
  const names = tables.map(splitTableName);
  const { rows } = await session.query(FIND_TABLES, [
    tables,
    names.map(({ schema }) => schema),
    names.map(({ name }) => name),
  ]);
  const named = new Map(rows.map(({ written, id }) => [String(written), String(id)]));
  return followKeys(named, async (ids) => {
    const read = await session.query(READ_TABLES, [ids]);
    return read.rows.map((row) => shapeOf(JSON.parse(String(row.shape)) as PostgresTable));
  });
}

function shapeOf({ id, name, columns, uniques, triggers, keys }: PostgresTable): FoundTable {
  const shapes = columns.map(({ base, ...column }) => ({
    ...column,
    kind: KINDS[base] ?? 'other',
  }));
  return {
    id,
    name,
    columns: new Map(shapes.map((column) => [column.name, column])),
    primaryKey: uniques.find(({ isPrimary }) => isPrimary)?.columns ?? [],
    uniques: uniques.filter(({ isPrimary }) => !isPrimary).map((unique) => unique.columns),
    triggers,
    referencedBy: keys.map((key) => ({
      ...key,
      onDelete: ACTIONS[key.onDelete] ?? 'cascade',
      onUpdate: ACTIONS[key.onUpdate] ?? 'cascade',
    })),
  };
}
