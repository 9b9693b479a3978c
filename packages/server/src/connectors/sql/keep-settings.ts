// A trigger or function may change settings of the connection that decide which tables and rows the statements after
// it mean. Everything is rolled back then.
import type { SqlDialect } from './dialect.ts';
import { NeedsDecision } from './needs-decision.ts';
import type { SqlSession } from './session.ts';

/** Runs in the transaction that erases. */
export async function keepSettings<T>(
  { readSettings }: Pick<SqlDialect, 'readSettings'>,
  session: SqlSession,
  work: () => Promise<T>,
): Promise<T> {
  if (readSettings === null) return work();
  const before = await readSettings(session);
  const refuseChanged = async () => {
    const now = await readSettings(session);
    const changed = [...before.keys()].filter((name) => now.get(name) !== before.get(name));
    if (changed.length > 0) throw changedSettings(changed);
  };
  const result = await work().catch(async (error: unknown) => {
    // What was refused may be a consequence of it.
    if (error instanceof NeedsDecision) await refuseChanged();
    throw error;
  });
  await refuseChanged();
  return result;
}

function changedSettings(names: readonly string[]): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `a trigger or function changes the ${names.join(' and ')} of the connection, so the statements after it would mean other tables or rows; everything was rolled back: let it restore the setting (ALTER FUNCTION … SET ${names[0]} = … in place of a SET in its body), then release`,
    true,
  );
}
