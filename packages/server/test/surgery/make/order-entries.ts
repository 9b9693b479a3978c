// In which order an operator lists tables: those that refer to others by a foreign key before them, as far as there
// is such an order.
import type { DeclaredTable } from '../generated-case.ts';
import type { Schema } from './schema-draft.ts';

export function orderEntries(
  { tables }: Schema,
  entries: readonly DeclaredTable[],
): DeclaredTable[] {
  const sorted: string[] = [];
  const referringTo = (name: string) =>
    tables
      .filter((table) =>
        table.references.some(({ parent, onDelete }) => parent === name && onDelete !== null),
      )
      .map((table) => table.name);
  const visit = (name: string, above: readonly string[]) => {
    if (sorted.includes(name) || above.includes(name)) return;
    for (const child of referringTo(name)) visit(child, [...above, name]);
    sorted.push(name);
  };
  for (const { table } of entries) visit(table, []);
  return sorted.flatMap((name) => entries.filter(({ table }) => table === name));
}
