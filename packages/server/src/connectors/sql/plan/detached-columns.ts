// References that the operator lets become NULL in rows that stay.
import type { TablesWork } from '../../../domain/target.ts';
import type { ForeignKey } from '../catalogue.ts';

/** The columns of a foreign key that may become NULL; none where it is not listed. */
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
