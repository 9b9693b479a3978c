import type { Plan } from '../plan/plan.ts';
import type { Need } from './probe.ts';

/** What an account must be allowed to do so that the plan can be carried out. */
export function needsOf(plan: Plan): Need[] {
  const names = (columns: Iterable<{ readonly name: string }>) =>
    [...columns].map(({ name }) => name);
  const tables = plan.tables.map((table): Need => {
    const read = [
      ...names(table.columns),
      ...table.matches.map(({ column }) => column.name),
      ...(table.tenant === null ? [] : [table.tenant.name]),
      ...table.vias.flatMap(({ columns }) => names(columns)),
      ...table.where.map(({ column }) => column.name),
      ...table.overwritten.keys(),
    ];
    return {
      table: table.table,
      read: [...new Set(read)],
      isDeleted: table.action.kind === 'delete',
      written: [...table.overwritten.keys()],
    };
  });
  // Counted before a foreign key changes them; that itself is done with the owner's rights.
  const loosened = plan.loosened.map(
    ({ table, columns }): Need => ({ table, read: names(columns), isDeleted: false, written: [] }),
  );
  return merged([...tables, ...loosened]);
}

/** A table may be listed several times, with another action in each entry. */
function merged(needs: readonly Need[]): Need[] {
  return [...Map.groupBy(needs, ({ table }) => table)].map(([table, own]) => ({
    table,
    read: [...new Set(own.flatMap(({ read }) => read))],
    isDeleted: own.some(({ isDeleted }) => isDeleted),
    written: [...new Set(own.flatMap(({ written }) => written))],
  }));
}
