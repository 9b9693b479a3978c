// Tables that the operator lists as reached by foreign keys. Rows that a cascade would delete are erased by
// our own statements, so these tables need a key too.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TablesWork } from '../../../../domain/target/target.ts';
import type { Catalogue } from '../../catalogue.ts';
import { findCascades } from '../../plan/find-cascades.ts';
import { rowKeyOf } from '../../plan/row-key.ts';
import { problem } from '../line.ts';
import { existing, missingTable, type OtherNames, otherNameOf } from '../missing.ts';

export function checkCascades(
  work: TablesWork,
  catalogue: Catalogue,
  others: OtherNames,
): { lines: CheckLine[]; sound: readonly string[] } {
  const declared = work.tables
    .filter(({ action }) => action.kind === 'delete')
    .map(({ table }) => table);
  const deleted = new Set(
    findCascades(catalogue, declared, work)
      .filter(({ effect }) => effect === 'deleted')
      .map(({ key }) => key.table),
  );
  const found = work.cascades.map((table) => {
    const shape = existing(catalogue, table);
    if (shape === undefined) return { table, line: missingTable(table, others) };
    const before = work.cascades.slice(0, work.cascades.indexOf(table));
    const twin = otherNameOf(table, before, catalogue);
    if (twin !== undefined)
      return { table, line: problem(table, `is the same table as ${twin}; name it once`) };
    const [whole] = shape.partOf;
    if (whole !== undefined)
      return {
        table,
        line: problem(
          table,
          `is listed under "cascades", and is a part of ${whole}, whose rows include its own; take it from the list${work.tables.some((one) => one.table === whole) ? '' : `, or list ${whole} alone`}`,
        ),
      };
    const needsKey = deleted.has(table) && !work.tables.some((one) => one.table === table);
    if (!needsKey || rowKeyOf({ key: null }, shape) !== undefined) return { table };
    return {
      table,
      line: problem(
        table,
        'is listed under "cascades" but has no primary key; add one, or declare it under "tables" with a "key"',
      ),
    };
  });
  return {
    lines: found.flatMap(({ line }) => line ?? []),
    sound: found.filter(({ line }) => line === undefined).map(({ table }) => table),
  };
}
