// Whether something besides our own statements can act when a plan is carried out: a trigger, or a foreign key that
// changes the rows that refer.
import type { Catalogue, ForeignKey } from '../catalogue.ts';
import type { Follower, Plan } from './plan.ts';
import { fires, planChanges } from './plan-changes.ts';

/** The names of tables whose changes have such an effect. */
export function tablesWithEffects(plan: Plan, catalogue: Catalogue): string[] {
  const found = planChanges(plan, true).filter((change) => {
    const { table, event } = change;
    const shape = catalogue.get(table);
    const { triggers = [], referencedBy = [], columns } = shape ?? {};
    if (triggers.some((trigger) => fires(trigger, change, shape))) return true;
    if (event === 'delete') return referencedBy.some(({ onDelete }) => acts(onDelete));
    const changed = changedColumns(plan, table);
    const isChanged = (name: string) => changed.has(name) || columns?.get(name)?.isGenerated;
    return referencedBy.some(
      // A key whose columns the account cannot see may have any columns.
      ({ onUpdate, referencedColumns: of }) =>
        acts(onUpdate) && (of.length === 0 || of.some(isChanged)),
    );
  });
  return [...new Set(found.map(({ table }) => table))];
}

function acts(action: ForeignKey['onDelete']): boolean {
  return action !== 'no_action' && action !== 'restrict';
}

function changedColumns({ erased, references }: Plan, table: string): Set<string> {
  const ofFollower = (one: Follower): string[] => [
    ...(one.table === table ? one.columns : []),
    ...one.followers.flatMap(ofFollower),
  ];
  return new Set([
    ...erased.flatMap((one) => (one.table === table ? [...one.overwritten.keys()] : [])),
    ...references.flatMap(({ table: { name }, nulled, detached }) =>
      name === table ? [...nulled, ...detached].map((column) => column.name) : [],
    ),
    ...[...erased, ...references].flatMap(({ followers }) => followers.flatMap(ofFollower)),
  ]);
}
