// How the rows of an entry are found, and what is done to them, as a text: by plans with the same text, the same rows
// are left to do. Needed for tables without a unique key, where an intent says how many rows there were, and not which.
import { createHash } from 'node:crypto';
import type { Plan, PlannedTable } from './plan.ts';
import { writtenWhere } from './where-values.ts';

export function foundBy({ tables }: Pick<Plan, 'tables'>, entry: PlannedTable): string {
  const byEntry = new Map(tables.map((table) => [table.name, table]));
  const seen = new Set<string>();
  const describe = (table: PlannedTable | undefined): unknown => {
    if (table === undefined || seen.has(table.name)) return table?.name;
    seen.add(table.name);
    return [
      table.name,
      table.tenant?.name,
      writtenWhere(table.where),
      table.shared,
      table.matches.map(({ type, column, path, trim }) => [type, column.name, path, trim]),
      table.vias.map(({ columns, parentColumns, entries }) => [
        columns.map(({ name }) => name),
        parentColumns.map(({ name }) => name),
        entries.map((name) => describe(byEntry.get(name))),
      ]),
    ];
  };
  return createHash('sha256')
    .update(JSON.stringify([entry.action.kind, describe(entry)]))
    .digest('base64url');
}
