import type { SqlValue } from '../sql/session.ts';
import { splitTableName } from '../sql/table-name.ts';

/** The first three values of FIND_TABLES. */
export function namesOf(tables: readonly string[]): SqlValue[] {
  const names = tables.map(splitTableName);
  return [tables, names.map(({ schema }) => schema), names.map(({ name }) => name)];
}
