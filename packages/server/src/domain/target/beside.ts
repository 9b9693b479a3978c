// Entries of one table that may have the same rows: each overwrites columns of its own, and says nothing of the others.
import { entryName, type TableConfig, whereValues } from './target.ts';

export function areBeside(one: TableConfig, other: TableConfig): boolean {
  return (
    one.table === other.table &&
    entryName(one) !== entryName(other) &&
    sameRows(one) === sameRows(other)
  );
}

/** The same text for conditions that mean the same rows of a table. */
export function sameRows({ where = {}, whereBy = {} }: TableConfig): string {
  const columns = Object.entries(where).map(([column, values]) => {
    const by = Object.hasOwn(whereBy, column) ? whereBy[column] : null;
    const texts = whereValues(values).map((value) => JSON.stringify(value));
    return JSON.stringify([column, by, 'not' in values, texts.toSorted()]);
  });
  return columns.toSorted().join();
}
