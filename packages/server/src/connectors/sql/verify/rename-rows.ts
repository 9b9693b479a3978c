// Rows that were overwritten still exist. If the present plan identifies rows by other columns, or lists the
// table under other entries, they are looked up by the former columns, so that each counts once.
import { byName } from '../../../domain/by-name.ts';
import type { KeyRow, Keys } from '../../../domain/target/connector.ts';
import type { TableLayout } from '../../../domain/target/row-layout.ts';
import type { ColumnShape } from '../catalogue.ts';
import { isSameLayout } from '../erase/ordered-rows.ts';
import { type FindContext, sizeFor } from '../find/find-context.ts';
import { rowId } from '../find/found-rows.ts';
import { readKeys, selectKeys } from '../find/row-ways.ts';
import { isInside, selectWhere } from '../find/where-rows.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import { columnNames, inChunks, textAt } from '../statement.ts';

export interface OldRows {
  /** The entry by which they were found. */
  readonly name: string;
  readonly layout: TableLayout;
  /** The columns that identified them. */
  readonly columns: readonly ColumnShape[];
  readonly rows: readonly KeyRow[];
}

export interface Renamed {
  /** By the entries of the current plan; without rows whose names have not changed. */
  readonly rows: Keys;
  /** A table whose rows are found by columns that the intent of the deleted rows does not contain. */
  readonly untraceable?: string;
}

export async function renameRows(context: FindContext, old: OldRows): Promise<Renamed> {
  const table = old.layout.table ?? old.name;
  // Where rows of the table are retained now, what belonged to the deleted ones is found through them too.
  const entries = context.plan.tables.filter((entry) => entry.table === table && !entry.isUnnamed);
  const isKnown = ({ name, ...entry }: PlannedTable) =>
    name === old.name &&
    entry.action.kind !== 'retain' &&
    isSameLayout({ name, ...entry }, old.layout);
  const renamed = byName<readonly KeyRow[]>();
  if (old.rows.length === 0 || entries.some(isKnown)) return { rows: renamed };
  let untraceable: string | undefined;
  for (const entry of entries) {
    const there =
      old.layout.action === 'overwrite' ? await renameInto(context, entry, old) : new Map();
    const gone = old.rows.filter((values) => !there.has(rowId(namedBy(old), values)));
    renamed[entry.name] = [...there.values(), ...gone.map((values) => project(entry, old, values))];
    if (gone.length > 0) untraceable ??= untraceableFrom(context, entry.name, old.layout);
  }
  return { rows: renamed, ...(untraceable !== undefined && { untraceable }) };
}

const namedBy = ({ layout, name, columns }: OldRows) => ({
  name: layout.table ?? name,
  keySize: columns.length,
});

/**
 * Uses the values that are known, and NULL for others. A key is never NULL, so such a key matches no
 * existing row.
 */
function project({ columns }: PlannedTable, { layout }: OldRows, values: KeyRow): KeyRow {
  return columns.map(({ name }) => values[layout.columns.indexOf(name)] ?? null);
}

/** A table that refers to deleted rows by columns that their layout does not contain. */
export function untraceableFrom(
  { plan }: FindContext,
  entry: string,
  { columns, isUnnamed }: TableLayout,
): string | undefined {
  const known = new Set(isUnnamed === true ? [] : columns);
  return plan.erased.find(({ vias }) =>
    vias.some(
      ({ entries, parentColumns }) =>
        entries.includes(entry) && parentColumns.some(({ name }) => !known.has(name)),
    ),
  )?.name;
}

/** The rows that still exist, by their former keys. */
async function renameInto(
  { session, dialect }: FindContext,
  entry: PlannedTable,
  old: OldRows,
): Promise<Map<string, KeyRow>> {
  const { columns, rows } = old;
  const named = namedBy(old);
  const names = columnNames('o', columns.length);
  const select = [
    ...columns.map((column, place) => selectKey(dialect, column, `o${place}`)),
    ...selectKeys(dialect, entry),
    ...selectWhere(dialect, entry),
  ];
  const ids = new Set(rows.map((values) => rowId(named, values)));
  const renamed = new Map<string, KeyRow>();
  for (const chunk of inChunks(rows, sizeFor(dialect, columns.length))) {
    const keys = chunk.map((values) => values.slice(0, columns.length));
    const found = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(columns, keys, bind);
      return `SELECT ${list} FROM ${entry.sqlName} WHERE ${among}`;
    });
    for (const row of found) {
      const id = rowId(
        named,
        names.map((name) => textAt(row, name)),
      );
      // The database may treat another key as equal.
      if (ids.has(id) && isInside(entry, row)) renamed.set(id, readKeys(entry, row));
    }
  }
  return renamed;
}
