// Foreign keys that exist but cannot be followed: the database refuses statements on both of their tables.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TablesWork } from '../../../../domain/target/target.ts';
import type { BrokenKey, Catalogue } from '../../catalogue.ts';
import { problem } from '../line.ts';

export function checkBrokenKeys(work: TablesWork, catalogue: Catalogue): CheckLine[] {
  const keys = new Map<string, BrokenKey>();
  for (const shape of catalogue.values())
    for (const key of shape.brokenKeys ?? [])
      if (isInTheWay(work, key)) keys.set(JSON.stringify(key), key);
  return [...keys.values()].map(toLine);
}

/** Deleting from either table needs the key, and so does a change of its columns. */
function isInTheWay(work: TablesWork, { table, columns, ...key }: BrokenKey): boolean {
  const sides: [string, readonly string[]][] = [
    [table, columns],
    [key.referenced, key.referencedColumns ?? []],
  ];
  return sides.some(([name, own]) => {
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    const changes = (column: string) => own.some((one) => one === column);
    return (
      work.cascades.some(isSame) ||
      (work.detach ?? []).some((one) => isSame(one.table) && changes(one.column)) ||
      work.tables.some(
        ({ table: declared, action }) =>
          isSame(declared) &&
          (action.kind === 'delete' ||
            (action.kind === 'overwrite' && Object.keys(action.columns).some(changes))),
      )
    );
  });
}

function toLine({ table, columns, referenced, referencedColumns }: BrokenKey): CheckLine {
  const key = `its foreign key (${columns.join(', ')})`;
  const names = referencedColumns?.join(', ');
  const refuses = 'so SQLite refuses to erase from either table while foreign keys are on';
  if (referencedColumns === null)
    return problem(
      table,
      `${key} refers to ${referenced}, which does not exist, so SQLite refuses to erase from ${table} while foreign keys are on; create the table, or take the key out of ${table}`,
    );
  return problem(
    table,
    `${key} refers to ${referenced} (${names}), which is not unique, ${refuses}; run: CREATE UNIQUE INDEX ${referenced}_${referencedColumns.join('_')} ON ${referenced} (${names}), or take the key out of ${table}`,
  );
}
