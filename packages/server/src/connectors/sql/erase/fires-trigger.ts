// Whether a trigger that the operator has listed can fire when a plan is carried out.
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue, RowEvent } from '../catalogue.ts';
import type { Follower, Plan } from '../plan/plan.ts';

export function firesListedTrigger(
  { triggers, cascades }: Pick<TablesWork, 'triggers' | 'cascades'>,
  plan: Plan,
  catalogue: Catalogue,
): boolean {
  if (triggers.length === 0) return false;
  const happens = eventsOf(plan);
  // Other triggers may write to these, in any way.
  for (const table of cascades)
    for (const event of ['insert', 'update', 'delete'] as const) happens(table).add(event);
  return [...catalogue.values()].some(({ table, triggers: own }) =>
    own.some(
      ({ name, events }) =>
        triggers.includes(name) && events.some((event) => happens(table).has(event)),
    ),
  );
}

/** What the plan's statements, and the foreign keys that they set off, do to each table. */
function eventsOf({ erased, references }: Plan): (table: string) => Set<RowEvent> {
  const events = new Map<string, Set<RowEvent>>();
  const of = (table: string) => {
    const known = events.get(table) ?? new Set();
    events.set(table, known);
    return known;
  };
  const follow = ({ table, followers }: Follower): void => {
    of(table).add('update');
    followers.forEach(follow);
  };
  for (const { table, action, selfKeys, followers } of erased) {
    of(table).add(action.kind === 'delete' ? 'delete' : 'update');
    // A circle is opened by setting a reference to NULL.
    if (selfKeys.length > 0) of(table).add('update');
    followers.forEach(follow);
  }
  for (const { table, nulled, detachedBy, release, followers } of references) {
    followers.forEach(follow);
    if (nulled.length > 0 || detachedBy === 'database' || release === 'database')
      of(table.name).add('update');
  }
  return of;
}
