// Columns that the plan overwrites and that foreign keys refer to, where these refuse another value.
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue, ForeignKey } from '../catalogue.ts';

/** Those whose rows may still refer when the value changes. */
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

/** Every entry of the table that refers deletes its rows, or gives them another reference. */
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

/** As `o.mail, which refers to c.email`. */
export function writeReferred({
  table,
  columns,
  referenced,
  referencedColumns,
}: ForeignKey): string {
  return `${referenced}.${referencedColumns.join(', ')}, which ${table}.${columns.join(', ')} refers to`;
}
