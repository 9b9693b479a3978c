// Foreign keys to one partition of a table: another partition may have the same values, in another person's row.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TablesWork } from '../../../../domain/target/target.ts';
import type { Catalogue } from '../../catalogue.ts';
import { isUnique } from '../../plan/uniqueness.ts';
import { problem } from '../line.ts';

export function checkParts({ tables }: TablesWork, catalogue: Catalogue): CheckLine[] {
  const deleted = tables.filter(({ action }) => action.kind === 'delete');
  const names = new Set(deleted.map(({ table }) => table));
  return [...names].flatMap((name) => {
    const shape = catalogue.get(name);
    return (shape?.referencedBy ?? [])
      .filter(({ referencedPart }) => referencedPart !== undefined)
      .filter((key) => shape !== undefined && !isUnique(shape, key.referencedColumns))
      .map((key) =>
        problem(
          name,
          `${key.table} refers to its partition ${key.referencedPart} alone (foreign key ${key.name}) by ${key.referencedColumns.join(', ')}, which other partitions may have too; declare the partitions under "tables" in place of ${name}, or let the key refer to ${name}`,
        ),
      );
  });
}
