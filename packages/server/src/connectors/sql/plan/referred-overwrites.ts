// Overwritten columns to which foreign keys refer that refuse another value.
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue, ForeignKey } from '../catalogue.ts';

/** The foreign keys whose rows may still refer when the value changes. */
export function referredOverwrites(work: TablesWork, catalogue: Catalogue): ForeignKey[] {
  const keys = work.tables.flatMap(({ table, action }) =>
    action.kind === 'overwrite'
      ? (catalogue.get(table)?.referencedBy ?? []).filter(
          ({ onUpdate, referencedColumns }) =>
            (onUpdate === 'no_action' || onUpdate === 'restrict') &&
            referencedColumns.some((column) => Object.hasOwn(action.columns, column)),
        )
      : [],
  );
  return [...new Set(keys)].filter((key) => !letsGo(work, key));
}

/** Whether every entry of the referring table deletes its rows, or gives them another reference. */
function letsGo({ tables }: TablesWork, { table, columns }: ForeignKey): boolean {
  const entries = tables.filter((one) => one.table === table);
  return (
    entries.length > 0 &&
    entries.every(
      ({ action }) =>
        action.kind === 'delete' ||
        (action.kind === 'overwrite' &&
          columns.some((name) => Object.hasOwn(action.columns, name))),
    )
  );
}

/** In the form `o.mail, which refers to c.email`. */
export function writeReferred({
  table,
  columns,
  referenced,
  referencedColumns,
}: ForeignKey): string {
  return `${referenced}.${referencedColumns.join(', ')}, which ${table}.${columns.join(', ')} refers to`;
}
