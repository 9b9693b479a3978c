import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable } from '../plan/plan.ts';

/** A statement has changed other rows than those decided about: it is rolled back. */
export function otherRows(
  { name }: Pick<PlannedTable, 'name'>,
  done: 'deleted' | 'overwritten' | 'detached',
  expected: number,
  seen: number,
): NeedsDecision {
  const why =
    seen < expected
      ? `a trigger or rule on ${name} keeps rows from being ${done}, as one does that only marks them; overwrite the columns that hold the person's data instead (action: { overwrite: … }), or remove the trigger; or, where a trigger of another table deletes them, list ${name} before the table whose trigger that is, and reload`
      : `the database does not tell the values of its key apart exactly; choose other "key" columns`;
  return new NeedsDecision(
    'unplanned_change',
    `${expected} rows of ${name} were to be ${done}, and the database says that ${seen} were, so everything was rolled back: ${why}, then release`,
  );
}
