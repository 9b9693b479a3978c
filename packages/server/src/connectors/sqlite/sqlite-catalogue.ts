import type {
  Catalogue,
  ColumnKind,
  ColumnShape,
  ReferentialAction,
  RowEvent,
  Trigger,
} from '../sql/catalogue.ts';
import { type FoundKey, type FoundTable, followKeys } from '../sql/catalogue-follow.ts';
import { toRules } from '../sql/distinct-rules.ts';
import type { SqlRow, SqlSession } from '../sql/session.ts';
import { splitTableName } from '../sql/table-name.ts';
import { readBrokenKeys } from './sqlite-broken-keys.ts';
import { readCollations } from './sqlite-collations.ts';
import { generationsOf, ruleOf } from './sqlite-rules.ts';

const TABLES = `
  SELECT l.name, l.type, l.wr AS withoutRowid, s.sql
  FROM pragma_table_list l LEFT JOIN main.sqlite_schema s ON s.type = 'table' AND s.name = l.name
  WHERE l.schema = 'main' AND l.type IN ('table', 'view')`;
const COLUMNS = `
  SELECT name, type, "notnull" AS isRequired, pk, hidden
  FROM pragma_table_xinfo(?, 'main') WHERE hidden <> 1 ORDER BY cid`;
// Partial and expression indexes do not identify rows.
const UNIQUES = `
  SELECT l.name, json_group_array(i.name ORDER BY i.seqno) AS columns
  FROM pragma_index_list(?, 'main') l JOIN pragma_index_info(l.name, 'main') i
  WHERE l."unique" = 1 AND l.partial = 0 AND l.origin <> 'pk'
  GROUP BY l.name HAVING min(i.cid) >= 0 ORDER BY l.name`;
const INDEXES = `
  SELECT l.name, s.sql, json_group_array(i.name ORDER BY i.seqno) AS columns
  FROM pragma_index_list(?, 'main') l JOIN pragma_index_info(l.name, 'main') i
  LEFT JOIN main.sqlite_schema s ON s.type = 'index' AND s.name = l.name
  WHERE l."unique" = 1 GROUP BY l.name ORDER BY l.name`;
const TRIGGERS = `
  SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = ? ORDER BY name`;
const KEYS = `
  SELECT t.name AS tableName, k.id AS number, lower(k."table") AS referenced,
         json_group_array(k."from" ORDER BY k.seq) AS columns,
         json_group_array(k."to" ORDER BY k.seq) AS referencedColumns,
         k.on_delete AS onDelete, k.on_update AS onUpdate,
         (SELECT json_group_array(r.name) FROM pragma_table_xinfo(t.name, 'main') r
          WHERE r."notnull" = 1 OR r.pk > 0 OR r.hidden > 0) AS required
  FROM main.sqlite_schema t JOIN pragma_foreign_key_list(t.name, 'main') k
  WHERE t.type = 'table'
  GROUP BY t.name, k.id ORDER BY t.name, k.id`;

/** Also returns the shapes of tables outside the plan that foreign keys reach and may change. */
export async function readSqliteCatalogue(
  session: SqlSession,
  tables: readonly string[],
  leads: readonly string[] = [],
): Promise<Catalogue> {
  const led = new Set(leads.map((written) => idOf(localName(written))));
  const existing = new Map(
    (await session.query(TABLES)).rows
      .map((row): [string, SqlRow] => [idOf(row.name), row])
      .filter(([id, { type }]) => type === 'table' || led.has(id)),
  );
  const keys = (await session.query(KEYS)).rows;
  const broken = await readBrokenKeys(session);

  async function read(row: SqlRow): Promise<FoundTable> {
    const name = String(row.name);
    const columns = (await session.query(COLUMNS, [name])).rows;
    const uniques = (await session.query(UNIQUES, [name])).rows;
    const indexes = (await session.query(INDEXES, [name])).rows;
    const triggers = (await session.query(TRIGGERS, [idOf(name)])).rows;
    const names = columns.map((column) => String(column.name));
    const { loose, unknown } = await readCollations(session, row, names);
    const primaryKey = columns
      .filter(({ pk }) => Number(pk) > 0)
      .sort((a, b) => Number(a.pk) - Number(b.pk))
      .map((column) => String(column.name));
    return {
      id: idOf(name),
      name: writtenName(name),
      columns: new Map(
        columns.map((column) => [
          String(column.name),
          withCollation(
            columnOf(column, primaryKey.length === 1, Number(row.withoutRowid) === 1),
            loose.get(String(column.name)) ?? null,
          ),
        ]),
      ),
      primaryKey,
      uniques: uniques.map((unique) => JSON.parse(String(unique.columns)) as string[]),
      ...(primaryKey.length === 0 && { rowIdentity: rowIdentity(columns) }),
      rules: toRules(
        indexes.map(ruleOf),
        names,
        generationsOf(
          String(row.sql),
          columns.filter(({ hidden }) => Number(hidden) !== 0),
        ),
      ),
      triggers: triggers.map(triggerOf),
      ...(/\bon\s+conflict\b/i.test(String(row.sql)) && { resolvesConflicts: true }),
      withoutTransactions: null,
      keepsHistory: false,
      ...(unknown.length > 0 && { unknownCollations: unknown }),
      brokenKeys: broken.filter((key) =>
        [key.table, key.referenced].some((one) => idOf(one) === idOf(name)),
      ),
      referencedBy: keys
        .filter(({ referenced }) => referenced === idOf(name))
        .map((key) => keyOf(key, primaryKey, names)),
    };
  }

  const ids = [...leads, ...tables].map((written): [string, string] => [
    written,
    idOf(localName(written)),
  ]);
  const named = new Map(ids.filter(([, id]) => existing.has(id)));
  return followKeys(named, leads, async (wanted) => {
    const rows = wanted.flatMap((id): SqlRow | readonly SqlRow[] => existing.get(id) ?? []);
    const found: FoundTable[] = [];
    for (const row of rows) found.push(await read(row));
    return found;
  });
}

// SQLite ignores the case of ASCII letters in names, and of no others; so does its lower().
export function idOf(name: unknown): string {
  return String(name).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function localName(written: string): string {
  const { schema, name } = splitTableName(written);
  return schema !== null && idOf(schema) === 'main' ? name : written;
}

/** A name that contains a dot is recognised by its schema. */
function writtenName(name: string): string {
  return name.includes('.') ? `main.${name}` : name;
}

/** The rowid, by a name that no column has. Tables without it have a primary key. */
function rowIdentity(columns: readonly SqlRow[]): ColumnShape[] {
  const taken = new Set(columns.map((column) => idOf(column.name)));
  const free = ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
  if (free === undefined) return [];
  return [
    {
      name: free,
      kind: 'integer',
      type: 'INTEGER',
      isNullable: false,
      isGenerated: true,
      maxLength: null,
      collation: null,
    },
  ];
}

function columnOf(row: SqlRow, isOnlyKey: boolean, isWithoutRowid: boolean): ColumnShape {
  const type = String(row.type);
  const isKey = Number(row.pk) > 0;
  // Only these keys refuse NULL by themselves: an old bug that SQLite keeps.
  const isRequiredKey = isKey && (isWithoutRowid || (isOnlyKey && /^integer$/i.test(type)));
  return {
    name: String(row.name),
    kind: kindOf(type.toUpperCase()),
    type,
    isNullable: Number(row.isRequired) === 0 && !isRequiredKey,
    isGenerated: Number(row.hidden) !== 0,
    // A declared length is not enforced.
    maxLength: null,
    collation: null,
  };
}

// In the order of SQLite's own rules for affinity.
function kindOf(type: string): ColumnKind {
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type.includes('BLOB')) return 'binary';
  if (/REAL|FLOA|DOUB|BOOL/.test(type)) return 'other';
  return /NUM|DEC/.test(type) ? 'decimal' : 'text';
}

function withCollation(column: ColumnShape, collation: string | null): ColumnShape {
  return { ...column, collation, equality: `${affinityOf(column.type)} ${collation ?? ''}` };
}

/** Values are converted to this affinity when they are compared with the column's. */
function affinityOf(type: string): string {
  const [, affinity = 'numeric'] =
    [
      [/INT/i, 'numeric'],
      [/CHAR|CLOB|TEXT/i, 'text'],
      [/BLOB|^$/i, 'none'],
    ].find(([names]) => (names as RegExp).test(type)) ?? [];
  return String(affinity);
}

function triggerOf(row: SqlRow): Trigger {
  const name = String(row.name);
  const head = headOf(String(row.sql), name);
  const event = /^(insert|update|delete)\b/i.exec(head)?.[1]?.toLowerCase() as RowEvent | undefined;
  const columns = updatedIn(head);
  return {
    name,
    events: event === undefined ? ['insert', 'update', 'delete'] : [event],
    ...(columns !== undefined && { columns }),
  };
}

// The stored text starts with CREATE TRIGGER and the name; if it cannot be read, it counts as any event.
function headOf(sql: string, name: string): string {
  const start = sql.indexOf(name);
  if (start === -1) return '';
  return sql
    .slice(start + name.length)
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/^["'`\]]?\s*/, '')
    .replace(/^(?:before|after|instead\s+of)\s+/i, '');
}

/** The columns of UPDATE OF, if their names can be read. */
function updatedIn(head: string): string[] | undefined {
  const start = /^update\s+of\s/i.exec(head)?.[0].length;
  const end = head.search(/\son\s/i);
  if (start === undefined || end < start) return undefined;
  const list = head.slice(start, end);
  const names = list.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return names.every((name) => /^\w+$/.test(name)) ? names : undefined;
}

function keyOf(
  row: SqlRow,
  primaryKey: readonly string[],
  parentColumns: readonly string[],
): FoundKey {
  const columns = JSON.parse(String(row.columns)) as string[];
  const referenced = JSON.parse(String(row.referencedColumns)) as (string | null)[];
  return {
    // SQLite does not return the names of constraints.
    name: `${row.tableName}(${columns.join(', ')})`,
    tableId: idOf(row.tableName),
    tableName: writtenName(String(row.tableName)),
    columns,
    ...requiredIn(columns, JSON.parse(String(row.required)) as string[]),
    referencedColumns: referenced.flatMap((column, place) =>
      column === null ? (primaryKey[place] ?? []) : nameIn(parentColumns, column),
    ),
    onDelete: actionOf(row.onDelete),
    onUpdate: actionOf(row.onUpdate),
  };
}

function requiredIn(columns: readonly string[], required: readonly string[]) {
  const names = new Set(required.map(idOf));
  const own = columns.filter((name) => names.has(idOf(name)));
  return own.length > 0 && { required: own };
}

/** The definition of a foreign key keeps the spelling in which it was written. */
function nameIn(columns: readonly string[], written: string): string {
  return columns.find((name) => idOf(name) === idOf(written)) ?? written;
}

function actionOf(action: unknown): ReferentialAction {
  return String(action).toLowerCase().replace(' ', '_') as ReferentialAction;
}
