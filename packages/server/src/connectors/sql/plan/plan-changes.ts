// The changes that a plan's statements, and the foreign keys they trigger, make to each table: these fire
// triggers.
import type { RowEvent, TableShape, Trigger } from '../catalogue.ts';
import type { Follower, Plan, PlannedTable } from './plan.ts';

export interface PlanChange {
  readonly table: string;
  readonly event: RowEvent;
  /** What an update sets. */
  readonly columns: readonly string[];
  /** Happens only for rows that refer to themselves, or to each other in a circle. */
  readonly isRare: boolean;
}

/** `opensCircles`: the database cannot delete rows that refer to each other before a reference is set to NULL. */
export function planChanges({ erased, references }: Plan, opensCircles: boolean): PlanChange[] {
  const changed = (table: string, columns: readonly string[], isRare = false): PlanChange => ({
    table,
    event: 'update',
    columns,
    isRare,
  });
  const followed = ({ table, columns, followers }: Follower): PlanChange[] => [
    changed(table, columns),
    ...followers.flatMap(followed),
  ];
  return [
    ...erased.flatMap((one): PlanChange[] => [
      ...(one.action.kind === 'delete'
        ? [{ table: one.table, event: 'delete', columns: [], isRare: false } as const]
        : [changed(one.table, [...one.overwritten.keys()])]),
      ...(opensCircles && mayOpen(one) ? [changed(one.table, selfColumns(one), true)] : []),
      ...one.followers.flatMap(followed),
    ]),
    ...references.flatMap((one) => [
      ...(one.nulled.length > 0 || one.detachedBy === 'database' || one.release === 'database'
        ? [changed(one.table.name, [...namesOf(one.nulled, one.detached), ...one.setColumns])]
        : []),
      ...one.followers.flatMap(followed),
    ]),
  ];
}

/** Whether the trigger fires. A generated column changes along with others. */
export function fires(
  { events, columns }: Trigger,
  change: Pick<PlanChange, 'event' | 'columns'>,
  shape: TableShape | undefined,
): boolean {
  if (!events.includes(change.event)) return false;
  if (change.event !== 'update' || columns === undefined) return true;
  const set = new Set(change.columns.map((name) => name.toLowerCase()));
  return columns.some(
    (name) => shape?.columns.get(name)?.isGenerated !== false || set.has(name.toLowerCase()),
  );
}

function mayOpen(one: PlannedTable): boolean {
  const columns = one.selfKeys.flatMap((key) => key.columns);
  return (
    one.action.kind === 'delete' &&
    columns.some(({ isNullable, isGenerated }) => isNullable && !isGenerated)
  );
}

const selfColumns = ({ selfKeys }: PlannedTable): string[] =>
  namesOf(...selfKeys.map(({ columns }) => columns));

function namesOf(...lists: readonly (readonly { readonly name: string }[])[]): string[] {
  return lists.flat().map(({ name }) => name);
}
