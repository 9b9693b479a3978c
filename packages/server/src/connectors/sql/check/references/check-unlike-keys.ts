// Checks for foreign keys that mean other rows than the values of their columns say.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TablesWork } from '../../../../domain/target/target.ts';
import type { Catalogue, ForeignKey, UnlikeColumn } from '../../catalogue.ts';
import { problem } from '../line.ts';

export function checkUnlikeKeys({ tables }: TablesWork, catalogue: Catalogue): CheckLine[] {
  const kept = (name: string) => {
    const entries = tables.filter(({ table }) => table === name);
    return entries.length > 0 && entries.every(({ action }) => action.kind === 'retain');
  };
  return [...catalogue]
    .filter(([name]) => !kept(name))
    .flatMap(([, { referencedBy }]) =>
      referencedBy.flatMap((key) => (key.unlike ?? []).map((column) => checkColumn(key, column))),
    );
}

function checkColumn(key: ForeignKey, { column, type, referencedType }: UnlikeColumn): CheckLine {
  const referenced = key.referencedColumns[key.columns.indexOf(column)];
  return problem(
    key.table,
    `its foreign key ${key.name} compares how ${column} (${type}) and ${key.referenced}.${referenced} (${referencedType}) are stored, not their values, so it may refer to other rows than the values say; give both columns the same type, or drop the key`,
  );
}
