// Entries whose rows are found after a table that they may tie to a person: one entry of a table leads to the child,
// and the child to another entry of the same table.
import type { Plan } from '../plan/plan.ts';
import { type RowsOfTable, rowId } from './found-rows.ts';

/** Rows that an earlier search has found, by entry. */
export type Assumed = ReadonlyMap<string, RowsOfTable>;

/** Only entries that matter: those that may tie a row which is kept if it is tied to another person. */
export function laterEntries({ tables }: Pick<Plan, 'tables'>): string[] {
  const later = tables.flatMap(({ vias, shared }, at) =>
    (shared === 'keep' ? vias : []).flatMap(({ parent, descending, beside }) =>
      tables
        .slice(at + 1)
        .filter(({ table, name }) => table === parent && ![...descending, ...beside].includes(name))
        .map(({ name }) => name),
    ),
  );
  return [...new Set(later)];
}

/** Whether two searches have found the same rows of these entries for the same subjects. */
export function areSame(
  { tables }: Pick<Plan, 'tables'>,
  entries: readonly string[],
  one: Assumed,
  other: Assumed,
): boolean {
  const textOf = (found: Assumed) =>
    tables
      .filter(({ name }) => entries.includes(name))
      .map((table) =>
        [...(found.get(table.name)?.values() ?? [])]
          .map(({ values, owners, kept = [] }) =>
            JSON.stringify([rowId(table, values), owners, kept]),
          )
          .sort()
          .join(),
      )
      .join(';');
  return textOf(one) === textOf(other);
}
