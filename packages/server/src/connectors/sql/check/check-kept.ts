// Rows that are kept because they are somebody else's too cannot refer to rows that go.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import { detachableColumn, isDetached } from '../plan/detached-columns.ts';
import { problem } from './line.ts';

export function checkKept(work: TablesWork, catalogue: Catalogue): CheckLine[] {
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
