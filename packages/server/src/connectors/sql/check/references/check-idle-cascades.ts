// Entries of "cascades" that do nothing.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TablesWork } from '../../../../domain/target/target.ts';
import type { Catalogue } from '../../catalogue.ts';
import { note } from '../line.ts';

/** Entries of "cascades" that allow nothing. The catalogue does not say which tables triggers write to. */
export function checkIdle(
  reached: ReadonlySet<string>,
  work: TablesWork,
  catalogue: Catalogue,
  isFollowed: (table: string) => boolean,
): CheckLine[] {
  const known = [...catalogue.values()].flatMap(({ triggers }) => triggers);
  if (known.some(({ name }) => work.triggers.includes(name))) return [];
  return work.cascades
    .filter((table) => !isFollowed(table))
    .flatMap((table) => {
      const entries = work.tables.filter((one) => one.table === table);
      const isDeleted = entries.some(({ action }) => action.kind === 'delete');
      if (isDeleted)
        return note(
          table,
          'is listed under "cascades", which has no effect for a table of the plan that rows are deleted from: where other people\'s rows of it refer to deleted ones, list the column under "detach"',
        );
      if (reached.has(table)) return [];
      return note(
        table,
        'is listed under "cascades", but no foreign key reaches it; remove the entry',
      );
    });
}
