// What listed triggers change, as far as their texts tell: the tables that they write to, the effects of
// foreign keys on that, and the triggers of those tables.
import type { Catalogue, ForeignKey, RowEvent, Trigger } from '../catalogue.ts';

export interface Change {
  readonly table: string;
  /** `own`: columns of the row that fires the trigger; changing them fires no further trigger. */
  readonly event: RowEvent | 'own';
  /** For an update, the columns that get another value. */
  readonly columns: readonly string[];
  /** The trigger that causes it; null if the plan itself does. */
  readonly by: string | null;
  /** The foreign key that causes it, and the change that the key followed. */
  readonly along?: { readonly key: ForeignKey; readonly table: string };
}

export function withTriggered(
  changes: readonly Change[],
  listed: readonly string[],
  catalogue: Catalogue,
): Change[] {
  const all = new Map(changes.map((change) => [idOf(change), change]));
  // Grows during the iteration.
  for (const change of all.values())
    for (const next of [...written(change, listed, catalogue), ...followed(change, catalogue)])
      if (!all.has(idOf(next))) all.set(idOf(next), next);
  return [...all.values()];
}

export function firedBy({ table, event }: Change, catalogue: Catalogue): Trigger[] {
  return (catalogue.get(table)?.triggers ?? []).filter(({ events }) =>
    events.some((one) => one === event),
  );
}

function idOf({ table, event, columns, by, along }: Change): string {
  return JSON.stringify([table, event, columns, by, along?.key.name, along?.key.table]);
}

function written(change: Change, listed: readonly string[], catalogue: Catalogue): Change[] {
  return firedBy(change, catalogue)
    .filter(({ name }) => listed.includes(name))
    .flatMap(({ name: by, text }): Change[] => [
      ...(text?.writes ?? []).map((write) => ({ ...write, by })),
      ...(text === undefined || text.sets.length === 0 || change.event !== 'update'
        ? []
        : [{ table: change.table, event: 'own' as const, columns: text.sets, by }]),
    ]);
}

/** Effects of foreign keys on the plan's own changes are checked elsewhere, row by row. */
function followed({ table, event, columns, by }: Change, catalogue: Catalogue): Change[] {
  const shape = catalogue.get(table);
  if (by === null || event === 'insert' || shape === undefined) return [];
  if (event === 'delete')
    return shape.referencedBy
      .filter(({ onDelete }) => acts(onDelete))
      .map((key) => ({
        table: key.table,
        columns: key.columns,
        by,
        along: { key, table },
        event: key.onDelete === 'cascade' ? 'delete' : 'update',
      }));
  const computed = [...shape.columns.values()].filter(({ isGenerated }) => isGenerated);
  const changed = new Set([...columns, ...computed.map(({ name }) => name)]);
  return (
    shape.referencedBy
      // A key whose columns the account cannot see may have any columns.
      .filter(
        ({ onUpdate, referencedColumns: of }) =>
          acts(onUpdate) && (of.length === 0 || of.some((name) => changed.has(name))),
      )
      .map((key) => ({
        table: key.table,
        columns: key.columns,
        by,
        along: { key, table },
        event: 'update' as const,
      }))
  );
}

function acts(action: ForeignKey['onDelete']): boolean {
  return action !== 'no_action' && action !== 'restrict';
}
