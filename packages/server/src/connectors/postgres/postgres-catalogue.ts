import { byName } from '../../domain/by-name.ts';
import type {
  Catalogue,
  ColumnKind,
  ColumnShape,
  ForeignOperator,
  ReferentialAction,
  Trigger,
} from '../sql/catalogue.ts';
import { type FoundKey, type FoundTable, followKeys } from '../sql/catalogue-follow.ts';
import { type FoundRule, toRules } from '../sql/distinct-rules.ts';
import { TABLE_OF_ROWS } from '../sql/plan/uniqueness.ts';
import type { SqlSession } from '../sql/session.ts';
import { splitTableName } from '../sql/table-name.ts';
import { FIND_LEADS, FIND_TABLES, READ_KEYS, READ_TABLES } from './postgres-catalogue-sql.ts';

/** A user-defined type may have any name. */
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

/** Types whose values are equal exactly if their texts are. */
const EQUAL_TYPES = byName(
  Object.entries({ varchar: 'text', name: 'text', int2: 'int8', int4: 'int8' }),
);

/** A table in the form that READ_TABLES returns. */
interface PostgresTable {
  readonly id: string;
  readonly name: string;
  readonly schema: string;
  readonly columns: readonly (Omit<ColumnShape, 'kind' | 'equals' | 'looseCollation'> & {
    readonly equals: string | null;
    readonly base: string;
    readonly baseType: string;
    readonly looseCollation: string | null;
    readonly generation: string | null;
  })[];
  readonly rules: readonly FoundRule[];
  readonly uniques: readonly { readonly isPrimary: boolean; readonly columns: readonly string[] }[];
  readonly triggers: readonly Trigger[];
  readonly isInherited: boolean;
  readonly isLockable: boolean;
  readonly ancestors: readonly string[];
  readonly isReferenced: boolean;
}

/** The foreign keys that refer to a table, in the form that READ_KEYS returns. */
interface PostgresKeys {
  readonly id: string;
  readonly keys: readonly {
    readonly name: string;
    readonly tableId: string;
    readonly tableName: string;
    readonly columns: readonly string[];
    readonly required: readonly string[] | null;
    readonly referencedColumns: readonly string[];
    readonly referencedPart: string | null;
    readonly part: Required<FoundKey>['part'] | null;
    readonly onDelete: string;
    readonly onUpdate: string;
    readonly setColumns: readonly string[] | null;
    readonly isMatchFull: boolean;
    readonly isOfPeriods: boolean;
    readonly isDeferrable: boolean;
    readonly operators: readonly ForeignOperator[];
  }[];
}

/** The result also has the shapes of tables outside the plan that foreign keys reach and may change. */
export async function readPostgresCatalogue(
  session: SqlSession,
  tables: readonly string[],
  leads: readonly string[] = [],
): Promise<Catalogue> {
  const named = new Map([
    ...(leads.length === 0 ? [] : await findNamed(session, FIND_LEADS, leads)),
    ...(await findNamed(session, FIND_TABLES, tables)),
  ]);
  return followKeys(named, leads, async (ids) => {
    const found = await readShapes<PostgresTable>(session, READ_TABLES, ids);
    const referenced = found.filter(({ isReferenced }) => isReferenced).map(({ id }) => id);
    const keys = await readShapes<PostgresKeys>(session, READ_KEYS, referenced);
    const keysTo = new Map(keys.map((one) => [one.id, one.keys]));
    return found.map((table) => shapeOf(table, keysTo.get(table.id) ?? []));
  });
}

async function findNamed(
  session: SqlSession,
  sql: string,
  tables: readonly string[],
): Promise<[string, string][]> {
  const names = tables.map(splitTableName);
  const { rows } = await session.query(sql, [
    tables,
    names.map(({ schema }) => schema),
    names.map(({ name }) => name),
  ]);
  return rows.map(({ written, id }) => [String(written), String(id)]);
}

async function readShapes<T>(
  session: SqlSession,
  sql: string,
  ids: readonly string[],
): Promise<T[]> {
  if (ids.length === 0) return [];
  const { rows } = await session.query(sql, [ids]);
  return rows.map(({ shape }) => JSON.parse(String(shape)) as T);
}

/** The system column that tells in which partition a row is. */
const TABLE_OF_ROW: ColumnShape = {
  name: TABLE_OF_ROWS,
  kind: 'integer',
  type: 'oid',
  isNullable: false,
  isGenerated: true,
  maxLength: null,
  collation: null,
};

/** The physical place of a row: it changes with every update, so it is usable only within a transaction. */
const PLACE_OF_ROW: ColumnShape = { ...TABLE_OF_ROW, name: 'ctid', kind: 'other', type: 'tid' };

function shapeOf(table: PostgresTable, keys: PostgresKeys['keys']): FoundTable {
  const { id, name, columns, uniques, rules, triggers, isInherited, ancestors } = table;
  const shapes = columns.map(({ base, generation: _, looseCollation, equals, ...column }) => ({
    ...column,
    base,
    equality: `${EQUAL_TYPES[base] ?? column.baseType} ${looseCollation ?? ''}`,
    kind: KINDS[base] ?? 'other',
    ...(base === 'citext' && { isCaseless: true }),
    ...(equals !== null && { equals }),
    ...(looseCollation !== null && { looseCollation }),
  }));
  return {
    id,
    name,
    schema: table.schema,
    columns: new Map(shapes.map((column) => [column.name, column])),
    primaryKey: uniques.flatMap(({ isPrimary, columns: own }) => (isPrimary ? own : [])),
    uniques: uniques.flatMap(({ isPrimary, columns: own }) => (isPrimary ? [] : [own])),
    ...(!uniques.some(({ isPrimary }) => isPrimary) && {
      rowIdentity: [TABLE_OF_ROW, PLACE_OF_ROW],
    }),
    rules: toRules(
      rules,
      columns.map((column) => column.name),
      new Map(columns.flatMap((one) => (one.generation ? [[one.name, one.generation]] : []))),
    ),
    triggers,
    ancestors,
    ...(isInherited && { isInherited }),
    ...(!table.isLockable && { isLockable: false }),
    withoutTransactions: null,
    keepsHistory: false,
    referencedBy: keys.map(toKey),
  };
}

function toKey(found: PostgresKeys['keys'][number]): FoundKey {
  const { isDeferrable, isMatchFull, isOfPeriods, setColumns, ...rest } = found;
  const { part, referencedPart, required, ...key } = rest;
  return {
    ...key,
    ...(part !== null && { part }),
    ...(referencedPart !== null && { referencedPart }),
    ...(required !== null && { required }),
    ...(isOfPeriods && { isOfPeriods }),
    ...(setColumns !== null && { setColumns }),
    ...(isMatchFull && { isMatchFull }),
    ...(isDeferrable && { isDeferrable }),
    onDelete: ACTIONS[key.onDelete] ?? 'cascade',
    onUpdate: ACTIONS[key.onUpdate] ?? 'cascade',
  };
}
