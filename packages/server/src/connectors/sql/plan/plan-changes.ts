// The changes that a plan's statements, and the foreign keys they trigger, make to each table: these fire
// triggers.
import type { RowEvent } from '../catalogue.ts';
import type { Follower, Plan, PlannedTable } from './plan.ts';

export interface PlanChange {
  readonly table: string;
  readonly event: RowEvent;
  /** Happens only for rows that refer to themselves, or to each other in a circle. */
  readonly isRare: boolean;
}

/** `opensCircles`: the database cannot delete rows that refer to each other before a reference is set to NULL. */
export function planChanges({ erased, references }: Plan, opensCircles: boolean): PlanChange[] {
  const changed = (table: string, isRare = false): PlanChange => ({
    table,
    event: 'update',
    isRare,
  });
  const followed = ({ table, followers }: Follower): PlanChange[] => [
    changed(table),
    ...followers.flatMap(followed),
  ];
  return [
    ...erased.flatMap((one): PlanChange[] => [
      ...(one.action.kind === 'delete'
        ? [{ table: one.table, event: 'delete', isRare: false } as const]
        : [changed(one.table)]),
      ...(opensCircles && mayOpen(one) ? [changed(one.table, true)] : []),
      ...one.followers.flatMap(followed),
    ]),
    ...references.flatMap(({ table, nulled, detachedBy, release, followers }) => [
      ...(nulled.length > 0 || detachedBy === 'database' || release === 'database'
        ? [changed(table.name)]
        : []),
      ...followers.flatMap(followed),
    ]),
  ];
}

function mayOpen({ action, selfKeys }: PlannedTable): boolean {
  const columns = selfKeys.flatMap((key) => key.columns);
  return (
    action.kind === 'delete' &&
    columns.some(({ isNullable, isGenerated }) => isNullable && !isGenerated)
  );
}
