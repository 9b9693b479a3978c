// If the database refuses a change of one request's rows although the plan fits: names the triggers and
// functions that may be the cause.
import type { Failed } from '../../../domain/target/connector.ts';
import { withoutRunCheck } from '../run-check.ts';
import type { SqlFailure } from '../session.ts';
import type { TablesTarget } from '../tables-target.ts';

/** Undefined if no trigger fires: then the failure's own text is all that can be said. */
export async function nameTriggers(
  target: TablesTarget,
  failure: SqlFailure,
): Promise<Failed | undefined> {
  if (failure.kind === 'lock') return undefined;
  const { plan, catalogue } = await target.database.transaction('read', (session) =>
    target.planNow(session),
  );
  const tables = new Set(plan.erased.map(({ table }) => table));
  const triggers = [...catalogue].flatMap(([table, shape]) =>
    shape.triggers
      .filter(({ name }) => target.work.triggers.includes(name))
      .map(({ name }) => ({ table, name, isFirst: tables.has(table) })),
  );
  const fired = triggers.some(({ isFirst }) => isFirst)
    ? triggers.filter(({ isFirst }) => isFirst)
    : triggers;
  const words = withoutRunCheck(failure);
  const { code } = failure;
  if (fired.length === 0 && failure.kind === 'data') return undefined;
  const what =
    fired.length === 0
      ? 'look at its CHECK constraints, computed columns and indexes'
      : `look at the triggers that fire here: ${fired.map(({ table, name }) => `${name} on ${table}`).join(', ')}`;
  return {
    outcome: 'failed',
    code,
    detail: `${words}; the check finds nothing wrong, so the change is refused by what the tables do themselves: ${what}; when that is corrected it goes on by itself, or at once by "unwrite request retry"`,
  };
}
