// Whatever changed in the transaction beside what was ordered rolls it back: rows that came after the
// preview and went by a cascade, or a trigger that writes elsewhere.
import type { TablesWork } from '../../../domain/target.ts';
import type { Catalogue } from '../catalogue.ts';
import { EVERY_TABLE, type SqlDialect } from '../dialect.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { planMisfit } from '../plan/make-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { SqlSession } from '../session.ts';

/** Rows by table, as the database counts them; undefined where it does not. */
export type Changes = ReadonlyMap<string, number> | undefined;

export async function readChanges(
  session: SqlSession,
  dialect: SqlDialect,
  names: readonly string[],
): Promise<Changes> {
  return dialect.changesSoFar?.(session, names);
}

/** `own`: rows that our statements changed, and that the operator has allowed to be, by table. */
export function refuseOtherChanges(
  { work, plan, catalogue }: { work: TablesWork; plan: Plan; catalogue: Catalogue },
  before: Changes,
  after: Changes,
  own: ReadonlyMap<string, number>,
): void {
  for (const [table, count] of own) {
    if (count === 0 || after === undefined || after.has(table) || after.has(EVERY_TABLE)) continue;
    throw planMisfit(
      'the server does not count changes, so nobody would see what cascades do: set track_counts = on',
    );
  }
  const all = [...own.values()].reduce((sum, count) => sum + count, 0);
  for (const [table, changes] of after ?? []) {
    const ours = table === EVERY_TABLE ? all : (own.get(table) ?? 0);
    if (changes - (before?.get(table) ?? 0) - ours === 0) continue;
    if (table === EVERY_TABLE) {
      // The sum does not tell where: a trigger that is allowed to write makes it useless.
      if (firesListedTrigger(work, catalogue)) continue;
      throw more('other rows');
    }
    // Listed for a trigger that the operator has looked at.
    if (work.cascades.includes(table) && firesListedTrigger(work, catalogue)) continue;
    if (plan.tables.some((planned) => planned.table === table)) throw more(`rows of ${table}`);
    if (work.cascades.includes(table)) continue;
    throw new NeedsDecision(
      'unplanned_change',
      `erasing also changes ${table}, which the target does not declare; list it if that is meant (cascades: [${table}]), and under "tables" too where its rows hold something of the person; restart, then release`,
    );
  }
}

function firesListedTrigger(work: TablesWork, catalogue: Catalogue): boolean {
  const names = [...work.tables.map(({ table }) => table), ...work.cascades];
  return names.some((name) =>
    catalogue.get(name)?.triggers.some((trigger) => work.triggers.includes(trigger.name)),
  );
}

function more(what: string): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `erasing would also change ${what} that are not this request's: a foreign key or a trigger reaches them; declare how they refer to its rows under "via", or list the trigger under "triggers" and the tables that it writes to under "cascades"; restart, then release`,
  );
}
