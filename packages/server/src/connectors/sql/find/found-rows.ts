// Rows that belong to the subjects of a batch, by table, each row once.
import type { Held, KeyRow } from '../../../domain/target/connector.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';

export interface FoundRow {
  readonly values: KeyRow;
  /** Positions of the owners in the batch. */
  readonly owners: readonly number[];
  /** Owners for whom the row is kept, because it also belongs to another person. */
  readonly kept?: readonly number[];
  /** It is to be overwritten, and already has its new values. */
  readonly isDone?: boolean;
  /** How many equal rows it stands for; 1 if missing. */
  readonly times?: number;
}

/** Keyed by rowId, or by any number if each row is known to occur once. */
export type RowsOfTable = Map<string | number, FoundRow>;

export interface Findings {
  readonly tables: ReadonlyMap<string, RowsOfTable>;
  /** By position in the batch: subjects about whose rows an operator has to decide. */
  readonly holds: ReadonlyMap<number, Held>;
}

/** Identifies a row of a table by its key; the values after the key do not count. */
export function rowId(table: Pick<PlannedTable, 'name' | 'keySize'>, values: KeyRow): string {
  const id =
    table.keySize === 1
      ? values[0]
      : referenceText(table.keySize === values.length ? values : values.slice(0, table.keySize));
  if (id !== undefined && id !== null) return id;
  throw new NeedsDecision(
    'ambiguous_reference',
    `a row of ${table.name} has no value in its key; choose other "key" columns, reload, then release`,
  );
}

/** The values of the key; those after it are references of children. */
export function keyPart(table: Pick<PlannedTable, 'keySize'>, values: KeyRow): KeyRow {
  return values.length === table.keySize ? values : values.slice(0, table.keySize);
}

/** Values that identify a row, as one text; undefined if one is NULL, which identifies no row. */
export function referenceText(values: KeyRow): string | undefined {
  const [only] = values;
  if (values.length === 1) return only ?? undefined;
  return values.some((value) => value === null) ? undefined : JSON.stringify(values);
}

/** Adds the row, and returns it with all its owners. */
export function addRow<Row extends FoundRow>(
  rows: Map<string | number, Row>,
  table: PlannedTable,
  row: Row,
): Row {
  const id = rowId(table, row.values);
  const before = rows.get(id);
  if (before === undefined) {
    rows.set(id, row);
    return row;
  }
  const owners = union(before.owners, row.owners);
  // Kept for an owner only if every way from the row to that owner keeps it.
  const kept = [...(before.kept ?? []), ...(row.kept ?? [])].filter(
    (place) => isKeptIn(before, place) && isKeptIn(row, place),
  );
  const all: Row = { ...before, owners, kept: [...new Set(kept)] };
  rows.set(id, all);
  return all;
}

function isKeptIn({ owners, kept }: FoundRow, place: number): boolean {
  return !owners.includes(place) || kept?.includes(place) === true;
}

/** Nearly all rows have one owner: the same list serves a parent and all its children. */
export function union(some: readonly number[], others: readonly number[]): readonly number[] {
  const more = others.filter((place) => !some.includes(place));
  return more.length === 0 ? some : [...some, ...more];
}
