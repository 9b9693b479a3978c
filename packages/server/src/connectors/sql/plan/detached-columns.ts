// References that the operator allows to become NULL in rows that stay.
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue, ForeignKey } from '../catalogue.ts';

/** The columns of a foreign key that may become NULL; empty if it is not listed. */
export function detachedColumns(
  { detach = [] }: Pick<TablesWork, 'detach'>,
  key: Pick<ForeignKey, 'table' | 'columns'>,
): string[] {
  return key.columns.filter((column) =>
    detach.some((listed) => listed.table === key.table && listed.column === column),
  );
}

export function isDetached(
  work: Pick<TablesWork, 'detach'>,
  key: Pick<ForeignKey, 'table' | 'columns'>,
): boolean {
  return detachedColumns(work, key).length > 0;
}

/** The column of a foreign key to write under "detach"; undefined if none of them can become NULL. */
export function detachableColumn(
  { table, columns, required = [] }: Pick<ForeignKey, 'table' | 'columns' | 'required'>,
  catalogue: Catalogue,
): string | undefined {
  const shape = catalogue.get(table);
  // A table that may not be read can have unknown details; they do not prevent it.
  if (shape === undefined) return columns.find((name) => !required.includes(name));
  return columns.find((name) => {
    const column = shape.columns.get(name);
    return column?.isNullable && !column.isGenerated && !shape.primaryKey.includes(name);
  });
}
