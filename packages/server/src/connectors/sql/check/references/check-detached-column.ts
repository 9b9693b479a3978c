// Checks whether a column can become NULL in several rows, as far as the catalogue tells: keys, and rules that
// require rows to differ.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { DetachedColumn, TablesWork } from '../../../../domain/target/target.ts';
import type { DistinctRule, ForeignKey, TableShape } from '../../catalogue.ts';
import { detachedColumns } from '../../plan/detached-columns.ts';
import { problem, warning } from '../line.ts';

/** `keys`: the foreign keys that contain the column. */
export function checkDetachedColumn(
  work: TablesWork,
  shape: TableShape,
  { table, column }: DetachedColumn,
  keys: readonly ForeignKey[],
): CheckLine[] {
  const written = `${table}.${column} is listed under "detach"`;
  const entry = work.tables.find((one) => one.table === table && one.key?.includes(column));
  if (entry !== undefined)
    return [problem(table, `${written}, and is part of its "key"; choose another "key"`)];
  return [
    ...keys.flatMap((key) => checkMatchFull(work, shape, key, written)),
    ...shape.rules.flatMap((rule) => checkRule(shape, rule, table, column, written)),
  ];
}

/** MATCH FULL refuses a key in which one column is NULL and another is not. */
function checkMatchFull(
  work: TablesWork,
  shape: TableShape,
  key: ForeignKey,
  written: string,
): CheckLine[] {
  if (key.isMatchFull !== true || detachedColumns(work, key).length === key.columns.length)
    return [];
  const fixed = key.columns.filter((name) => shape.columns.get(name)?.isNullable !== true);
  const all = key.columns.map((name) => `${key.table}.${name}`).join(', ');
  const remedy =
    fixed.length === 0
      ? `list all of its columns: detach: [${all}], or make the key MATCH SIMPLE`
      : `${fixed.join(', ')} may not be NULL, so make the key MATCH SIMPLE`;
  return [
    problem(
      key.table,
      `${written}, and its foreign key ${key.name} is MATCH FULL: all of its columns are NULL, or none is; ${remedy}`,
    ),
  ];
}

function checkRule(
  { primaryKey }: TableShape,
  rule: DistinctRule,
  table: string,
  column: string,
  written: string,
): CheckLine[] {
  const areEqual =
    (rule.columns.includes(column) && rule.areNullsEqual) ||
    (rule.computedFrom.includes(column) && rule.mayFillNull);
  if (!areEqual) return [];
  const others = [...rule.columns, ...rule.computedFrom].filter((name) => name !== column);
  if (others.length > 0 && primaryKey.every((name) => others.includes(name))) return [];
  if (others.length === 0 && rule.condition === null)
    return [
      problem(
        table,
        `${written}, and the unique index ${rule.name} lets one row only be without it; make the index ignore NULL, or delete from ${table} too`,
      ),
    ];
  return [
    warning(
      table,
      `${written}, and the unique index ${rule.name} compares NULL too: a second row that would be equal is held`,
    ),
  ];
}
