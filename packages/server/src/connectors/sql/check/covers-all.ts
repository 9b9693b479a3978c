// Whether the entries of a table together cover every row of it.
import { type TableConfig, whereValues } from '../../../domain/target/target.ts';

/**
 * True if one entry has no `where`, or if all entries use the same single column and one of them covers the
 * remaining values.
 */
export function coversAll(entries: readonly TableConfig[]): boolean {
  const wheres = entries.map(({ where = {} }) => Object.entries(where));
  if (wheres.some((where) => where.length === 0)) return true;
  const [name] = wheres[0]?.[0] ?? [];
  if (wheres.some((where) => where.length > 1 || where[0]?.[0] !== name)) return false;
  const all = wheres.flatMap((where) => where.map(([, values]) => values));
  const named = all.flatMap((values) => ('not' in values ? [] : whereValues(values)));
  return all.some(
    (values) => 'not' in values && whereValues(values).every((value) => named.includes(value)),
  );
}
