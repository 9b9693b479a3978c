// Rows that belong to the subjects of a batch, by table, each row once.
import type { KeyRow } from '../../../domain/connector.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';
import type { SqlRow } from '../session.ts';
import { textAt } from '../statement.ts';

export interface FoundRow {
  readonly values: KeyRow;
  /** Places in the batch. */
  readonly owners: readonly number[];
}

/** By table, then by what rowId gives, or by any number where rows are known to be there once. */
export type FoundRows = Map<string, Map<string | number, FoundRow>>;

/** Tells rows of a table apart by their key; the values behind the key do not count. */
export function rowId(table: Pick<PlannedTable, 'name' | 'keySize'>, values: KeyRow): string {
  const id =
    table.keySize === 1
      ? values[0]
      : referenceText(table.keySize === values.length ? values : values.slice(0, table.keySize));
  if (id !== undefined && id !== null) return id;
  throw new NeedsDecision(
    'ambiguous_reference',
    `a row of ${table.name} has no value in its key; choose other "key" columns`,
  );
}

/** What referenceText gives for these columns of a row. */
export function referenceAt(row: SqlRow, names: readonly string[]): string | undefined {
  const [only] = names;
  if (only !== undefined && names.length === 1) return textAt(row, only) ?? undefined;
  return referenceText(names.map((name) => textAt(row, name)));
}

/** Values that name a row, as one text; undefined where one is NULL, which names nobody. */
export function referenceText(values: KeyRow): string | undefined {
  const [only] = values;
  if (values.length === 1) return only ?? undefined;
  return values.some((value) => value === null) ? undefined : JSON.stringify(values);
}

/** Undefined where the row was there, with all these owners. */
export function addRow(
  rows: FoundRows,
  table: PlannedTable,
  values: KeyRow,
  owners: readonly number[],
): FoundRow | undefined {
  const found = rows.get(table.name) ?? new Map<string | number, FoundRow>();
  if (found.size === 0) rows.set(table.name, found);
  const id = rowId(table, values);
  const before = found.get(id);
  const all = before === undefined ? owners : union(before.owners, owners);
  if (all === before?.owners) return undefined;
  const row = { values, owners: all };
  found.set(id, row);
  return row;
}

/** Nearly all rows have one owner: the same list serves a parent and all its children. */
export function union(some: readonly number[], others: readonly number[]): readonly number[] {
  const more = others.filter((place) => !some.includes(place));
  return more.length === 0 ? some : [...some, ...more];
}
