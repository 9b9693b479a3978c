// Foreign keys of a table to itself.
import type { ColumnShape, TableShape } from '../catalogue.ts';
import { compareReference } from './compare-reference.ts';
import type { SelfKey } from './plan.ts';

/** `sqlName`: the name of the table as statements write it. */
export function selfKeysOf(
  shape: TableShape,
  sqlName: string,
  columnOf: (name: string) => ColumnShape,
): SelfKey[] {
  return shape.referencedBy
    .filter(({ table }) => table === shape.table)
    .map((key) => {
      const columns = key.columns.map(columnOf);
      const parentColumns = key.referencedColumns.map(columnOf);
      const pairs = columns.flatMap((column, place) => {
        const parentColumn = parentColumns[place];
        return parentColumn === undefined ? [] : { column, parentColumn };
      });
      const { comparisons, joined } = compareReference(pairs, key, {
        parent: sqlName,
        child: sqlName,
      });
      return {
        onDelete: key.onDelete,
        columns,
        parentColumns,
        comparisons: comparisons.map((comparison) => comparison ?? 'exact'),
        joined,
      };
    });
}
