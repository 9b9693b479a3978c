// Checks the references that the operator allows to become NULL: whether they are references, and can be NULL.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { DetachedColumn, TablesWork } from '../../../../domain/target/target.ts';
import type { Catalogue } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import { BY_HAND, hasProblem, note, problem } from '../line.ts';
import { existing, missingColumn, missingTable, type OtherNames, otherNameOf } from '../missing.ts';
import { checkDetachedColumn } from './check-detached-column.ts';

export function checkDetach(
  dialect: SqlDialect,
  work: TablesWork,
  catalogue: Catalogue,
  otherNames: OtherNames,
): { lines: CheckLine[]; sound: readonly DetachedColumn[] } {
  const deleted = work.tables.filter(({ action }) => action.kind === 'delete');
  const keys = [...deleted.map(({ table }) => table), ...work.cascades].flatMap(
    (table) => catalogue.get(table)?.referencedBy ?? [],
  );

  const named = [...work.tables.map((one) => one.table), ...work.cascades];
  const detached = (work.detach ?? []).map((one) => one.table);

  function check({ table, column }: DetachedColumn): CheckLine | readonly CheckLine[] {
    const shape = existing(catalogue, table);
    if (shape === undefined) return missingTable(table, otherNames);
    const found = shape.columns.get(column);
    if (found === undefined) return missingColumn(dialect, shape, column, '"detach"');
    const twin = otherNameOf(
      table,
      [...named, ...detached.slice(0, detached.indexOf(table))],
      catalogue,
    );
    if (twin !== undefined)
      return problem(table, `is the same table as ${twin}; write ${twin}.${column} under "detach"`);
    const written = `${table}.${column} is listed under "detach"`;
    const [whole] = shape.partOf;
    if (whole !== undefined)
      return problem(
        table,
        `${written}, and ${table} is a part of ${whole}; write ${whole}.${column}`,
      );
    if (!found.isNullable || found.isGenerated)
      return problem(
        table,
        `${written}, and cannot become NULL; let the column be NULL, or delete from ${table} too`,
      );
    if (shape.primaryKey.includes(column))
      return problem(table, `${written}, and is part of the primary key; take it from the list`);
    const tells = [...work.tables, ...(work.leads ?? [])].some(
      (one) =>
        one.table === table &&
        (one.tenant ?? []).some(({ columns }) => Object.hasOwn(columns, column)),
    );
    if (tells)
      return problem(
        table,
        `${written}, and says which tenant the row is of ("tenant"), so it may not become NULL; take it from the list`,
      );
    const own = keys.filter((key) => key.table === table && key.columns.includes(column));
    if (own.length > 0) return checkDetachedColumn(work, shape, { table, column }, own);
    const isOverwritten = work.tables.some(
      ({ table: name, action }) =>
        name === table && action.kind === 'overwrite' && Object.hasOwn(action.columns, column),
    );
    const others = `${written}, and is no foreign key to a table that rows are deleted from`;
    if (isOverwritten)
      return note(
        table,
        `${others}: it is overwritten in the person's own rows, and other people's rows keep it; to empty it there too, ${BY_HAND}`,
      );
    return problem(
      table,
      `${others}; correct the name, or take it from the list and, to empty such a column, ${BY_HAND}`,
    );
  }

  const found = (work.detach ?? []).map((entry) => ({ entry, lines: [check(entry)].flat() }));
  const lines = found.flatMap(({ lines: own }) => own);
  return {
    // For a foreign key with several columns, each column would give the same message.
    lines: [...new Map(lines.map((line) => [line.message, line])).values()],
    sound: found.flatMap(({ entry, lines: own }) => (hasProblem(own) ? [] : [entry])),
  };
}
