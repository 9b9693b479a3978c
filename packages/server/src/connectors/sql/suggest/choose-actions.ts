// Suggests what happens to the rows: they are deleted, unless the name of the table, or a foreign key of rows
// that are kept, suggests to keep them.
import type { Catalogue } from '../catalogue.ts';
import { mayHaveToBeKept } from '../personal/table-signs.ts';
import type { FoundReference } from './find-references.ts';
import type { TableWays } from './find-ways.ts';
import { overwriteColumns } from './overwrite-columns.ts';

export type SuggestedAction =
  | { readonly kind: 'delete' }
  | { readonly kind: 'retain'; readonly reason: string }
  | {
      readonly kind: 'overwrite';
      /** Column to the value, as YAML. */
      readonly columns: Readonly<Record<string, string>>;
      readonly because: string;
    };

export function chooseActions(
  ways: ReadonlyMap<string, TableWays>,
  catalogue: Catalogue,
  references: readonly FoundReference[],
): ReadonlyMap<string, SuggestedAction> {
  const actions = new Map<string, SuggestedAction>();
  for (const table of ways.keys()) {
    const shape = catalogue.get(table);
    actions.set(
      table,
      shape !== undefined && mayHaveToBeKept(shape)
        ? { kind: 'retain', reason: 'the law that obliges you to keep these rows, and how long' }
        : { kind: 'delete' },
    );
  }

  const keep = (parent: string, child: string) => {
    const way = ways.get(parent);
    if (way === undefined || actions.get(parent)?.kind !== 'delete') return;
    const columns = overwriteColumns(way, catalogue, references);
    const because = `rows of ${child} that stay refer to it`;
    actions.set(
      parent,
      Object.keys(columns).length === 0
        ? { kind: 'retain', reason: because }
        : { kind: 'overwrite', columns, because },
    );
    keepParents(parent);
  };
  const keepParents = (child: string) => {
    for (const reference of references.filter((it) => it.table === child && holds(it)))
      if (reference.parent !== child) keep(reference.parent, child);
  };
  for (const [table, action] of actions) if (action.kind === 'retain') keepParents(table);
  // If a column names who acted and may not be NULL, the row that it names must stay.
  for (const reference of references.filter((it) => it.sense === 'acted' && holds(it)))
    if (!isNullable(reference, catalogue)) keep(reference.parent, reference.table);
  return actions;
}

/** Whether the parent cannot be deleted while the row stays. */
function holds({ foreignKey }: FoundReference): boolean {
  return foreignKey !== null && !['set_null', 'set_default'].includes(foreignKey.onDelete);
}

export function isNullable({ table, columns }: FoundReference, catalogue: Catalogue): boolean {
  return Object.keys(columns).every(
    (column) => catalogue.get(table)?.columns.get(column)?.isNullable === true,
  );
}
