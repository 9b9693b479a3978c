// Checks that rows which are kept, because they also belong to another person, do not refer to rows that are
// deleted.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import { detachableColumn, isDetached } from '../plan/detached-columns.ts';
import { isUnique } from '../plan/uniqueness.ts';
import { problem, warning } from './line.ts';

export function checkKept(work: TablesWork, catalogue: Catalogue): CheckLine[] {
  return [...keptByForeignKey(work, catalogue), ...keptForEver(work, catalogue)];
}

/** A reference to an erased person that is never set to NULL leads to no known row: in doubt to another person. */
function keptForEver(work: TablesWork, catalogue: Catalogue): CheckLine[] {
  const deleted = new Set(
    work.tables.filter(({ action }) => action.kind === 'delete').map(({ table }) => table),
  );
  return work.tables
    .filter(({ shared, action }) => shared === 'keep' && action.kind !== 'retain')
    .flatMap(({ table, via }) =>
      via
        .filter(({ parent, columns }) => {
          const shape = catalogue.get(parent);
          if (shape === undefined || !deleted.has(parent)) return false;
          if (!isUnique(shape, Object.values(columns))) return false;
          return !shape.referencedBy.some(
            (key) => key.table === table && key.columns.some((name) => name in columns),
          );
        })
        .map(({ parent, columns }) =>
          warning(
            table,
            `a row that "shared: keep" has kept for two people stays when both are erased: ${Object.keys(columns).join(', ')} still has what named the row of ${parent}, and no foreign key sets it to NULL; let the application do that, or say "shared: erase" or "shared: hold"`,
          ),
        ),
    );
}

function keptByForeignKey(work: TablesWork, catalogue: Catalogue): CheckLine[] {
  const kept = new Set(
    work.tables.filter(({ shared }) => shared === 'keep').map(({ table }) => table),
  );
  return work.tables
    .filter(({ action }) => action.kind === 'delete')
    .flatMap(({ table: parent }) =>
      (catalogue.get(parent)?.referencedBy ?? [])
        .filter((key) => key.table !== parent && kept.has(key.table) && !isDetached(work, key))
        .map((key) => {
          const { table, name } = key;
          const column = detachableColumn(key, catalogue);
          const ways = [
            ...(column ? [`let the reference become NULL (detach: [${table}.${column}])`] : []),
            `overwrite ${parent} instead of deleting`,
            `say "shared: erase" or "shared: hold" for ${table}`,
          ];
          return problem(
            table,
            `rows that "shared: keep" keeps refer to ${parent} (foreign key ${name}), whose rows are deleted; ${ways.join(', or ')}`,
          );
        }),
    );
}
