// Leaves out rows that the schema's own constraints would refuse.

import { typeOf } from '../declared-world.ts';
import type { DatabaseName, Row, Rows, Table } from '../generated-case.ts';
import { foldValue } from '../judge/compare-values.ts';

export function keepConstraints(
  database: DatabaseName,
  tables: readonly Table[],
  rows: Rows,
): Rows {
  let kept: Rows = Object.fromEntries(
    tables.map((table) => [
      table.name,
      keepUnique(database, tables, table, rows[table.name] ?? []),
    ]),
  );
  // A row that goes may be what another refers to.
  for (;;) {
    const before = kept;
    kept = Object.fromEntries(
      tables.map((table) => [
        table.name,
        (before[table.name] ?? []).filter((row) =>
          hasParents(database, tables, table, row, before),
        ),
      ]),
    );
    if (tables.every(({ name }) => kept[name]?.length === before[name]?.length)) return kept;
  }
}

/** Without rows that a unique index, or NOT NULL, would refuse. */
export function keepUnique(
  database: DatabaseName,
  tables: readonly Table[],
  table: Table,
  rows: readonly Row[],
): Row[] {
  // Of an index on an expression or a part of the rows, more than it forbids is left out.
  const key = { columns: table.primaryKey, kind: 'plain' } as const;
  const indexes = table.primaryKey.length > 0 ? [key, ...table.unique] : table.unique;
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (table.columns.some(({ name, notNull }) => notNull && (row[name] ?? null) === null)) {
      return false;
    }
    const keys = indexes.flatMap(({ columns, kind }, at) => {
      const values = columns.map((column) => {
        const value = row[column] ?? null;
        const type = typeOf({ tables }, table.name, column);
        if (value === null) return null;
        return foldValue(database, kind === 'expression' ? 'folded' : type, value);
      });
      return values.includes(null) ? [] : [JSON.stringify([at, values])];
    });
    if (keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

function hasParents(
  database: DatabaseName,
  tables: readonly Table[],
  table: Table,
  row: Row,
  rows: Rows,
): boolean {
  return table.references.every(({ parent, pairs, onDelete }) => {
    if (onDelete === null || pairs.some(({ child }) => (row[child] ?? null) === null)) return true;
    return (rows[parent] ?? []).some((above) =>
      isReferredTo(database, tables, table.name, row, parent, above, pairs),
    );
  });
}

/** As the database's own foreign key sees it. */
export function isReferredTo(
  database: DatabaseName,
  tables: readonly Table[],
  child: string,
  row: Row,
  parent: string,
  above: Row,
  pairs: Table['references'][number]['pairs'],
): boolean {
  return pairs.every((pair) => {
    const [mine, theirs] = [row[pair.child] ?? null, above[pair.parent] ?? null];
    if (mine === null || theirs === null) return false;
    const childType = typeOf({ tables }, child, pair.child);
    const parentType = typeOf({ tables }, parent, pair.parent);
    return foldValue(database, childType, mine) === foldValue(database, parentType, theirs);
  });
}
