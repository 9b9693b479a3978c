// The triggers that the operator has listed and that can fire when a plan is carried out.
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Plan } from '../plan/plan.ts';
import { planChanges } from '../plan/plan-changes.ts';

export function firedTriggers(
  { triggers, cascades }: Pick<TablesWork, 'triggers' | 'cascades'>,
  plan: Plan,
  catalogue: Catalogue,
): string[] {
  if (triggers.length === 0) return [];
  const happens = new Set(planChanges(plan, true).map(({ table, event }) => `${event} ${table}`));
  // Tables to which other triggers may write in any way.
  const isFired = (table: string, event: string) =>
    cascades.includes(table) || happens.has(`${event} ${table}`);
  const fired = [...catalogue.values()].flatMap(({ table, triggers: own }) =>
    own.flatMap(({ name, events }) =>
      triggers.includes(name) && events.some((event) => isFired(table, event)) ? [name] : [],
    ),
  );
  return [...new Set(fired)];
}
