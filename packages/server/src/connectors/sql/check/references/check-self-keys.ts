// References of a table to itself that may not be NULL: the first row of such a table refers to itself, and
// some databases do not allow such a row to be deleted.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TableConfig } from '../../../../domain/target/target.ts';
import type { Catalogue, ForeignKey, TableShape } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import { warning } from '../line.ts';

export function checkSelfKeys(
  { foreignKeys }: SqlDialect,
  tables: readonly TableConfig[],
  catalogue: Catalogue,
): CheckLine[] {
  const deleted = tables.filter(({ action }) => action.kind === 'delete');
  const names = new Set(deleted.map(({ table }) => table));
  return [...names].flatMap((name) => {
    const shape = catalogue.get(name);
    return (shape?.referencedBy ?? [])
      .filter((key) => key.table === name && shape !== undefined && isFixed(shape, key))
      .filter(({ onDelete }) => foreignKeys.circlesStayOn.includes(onDelete))
      .map((key) =>
        warning(
          name,
          `rows that refer to themselves, or to each other in a circle, are held: the database does not let them go while ${key.columns.join(', ')} (foreign key ${key.name}) may not be NULL; let the column be NULL, or make the key ON DELETE CASCADE`,
        ),
      );
  });
}

function isFixed({ columns, primaryKey }: TableShape, key: ForeignKey): boolean {
  return key.columns.every(
    (name) => columns.get(name)?.isNullable !== true || primaryKey.includes(name),
  );
}
