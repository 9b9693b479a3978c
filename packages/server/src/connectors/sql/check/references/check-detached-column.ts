// Checks whether a column can become NULL in several rows, as far as its keys tell.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { DetachedColumn, TablesWork } from '../../../../domain/target/target.ts';
import type { ForeignKey, TableShape } from '../../catalogue.ts';
import { detachedColumns } from '../../plan/detached-columns.ts';
import { problem } from '../line.ts';

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
  return keys.flatMap((key) => checkMatchFull(work, shape, key, written));
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
