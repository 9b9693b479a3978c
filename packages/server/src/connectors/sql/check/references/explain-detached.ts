// Checks whether CHECK constraints allow references to become NULL in rows that stay.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { Catalogue } from '../../catalogue.ts';
import type { Plan, PlannedReference } from '../../plan/plan.ts';
import type { CheckContext } from '../check-context.ts';
import { problem } from '../line.ts';
import { brokenConstraints } from './broken-constraints.ts';

export async function explainDetached(
  context: CheckContext,
  { references }: Plan,
  catalogue: Catalogue,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const reference of references.filter(becomesNull)) {
    const { table, detached } = reference;
    const columns = [...(catalogue.get(table.name)?.columns.keys() ?? [])];
    const shapes = new Map(detached.map((column) => [column.name, column]));
    const samples = new Map(detached.map(({ name }) => [name, null]));
    for (const one of await brokenConstraints(context, table.name, columns, shapes, samples))
      lines.push(
        'level' in one
          ? one
          : problem(
              table.name,
              `"${one.columns.join('", "')}" would become NULL in rows that stay, which the CHECK constraint ${one.name} refuses; change the constraint, or delete from ${table.name} too`,
            ),
      );
  }
  return [...new Map(lines.map((line) => [line.message, line])).values()];
}

function becomesNull({ detached, detachedBy, onDelete }: PlannedReference): boolean {
  return detached.length > 0 && (detachedBy === 'update' || onDelete === 'set_null');
}
