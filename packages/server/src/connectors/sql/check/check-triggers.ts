import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue, Trigger } from '../catalogue.ts';
import { findCascades } from '../plan/find-cascades.ts';
import type { PlanChange } from '../plan/plan-changes.ts';
import { acceptable, note, problem, warning } from './line.ts';
import { type Change, firedBy, withTriggered } from './triggered-changes.ts';

/** Triggers that the plan fires and that the configuration does not list as reviewed. */
export function checkTriggers(
  work: TablesWork,
  catalogue: Catalogue,
  planned: readonly PlanChange[],
): CheckLine[] {
  const usual = [...meant(work, catalogue), ...planned.filter(({ isRare }) => !isRare)];
  const changes = withTriggered(usual.map(byPlan), work.triggers, catalogue);
  const rare = withTriggered(planned.map(byPlan), work.triggers, catalogue);
  const isHeldOnly = (change: Change, trigger: Trigger) => {
    // If the database reports what a trigger has changed, only the requests that fire it are held.
    const isCounted = trigger.text === undefined;
    return (
      isCounted && !changes.some((one) => one.table === change.table && one.event === change.event)
    );
  };
  const found = [...changes, ...rare].flatMap((change) => [
    ...checkWritten(change, work),
    ...firedBy(change, catalogue).flatMap((trigger) =>
      work.triggers.includes(trigger.name)
        ? checkText(change.table, trigger)
        : unlisted(change, trigger, isHeldOnly(change, trigger)),
    ),
  ]);
  const known = new Set(
    [...catalogue.values()].flatMap(({ triggers }) => triggers.map(({ name }) => name)),
  );
  const idle = work.triggers
    .filter((name) => !known.has(name))
    .map((name) =>
      note(name, 'is listed under "triggers", but no table of the plan has it; remove the entry'),
    );
  return [
    ...new Map([...found, ...idle].map((line) => [line.subject + line.message, line])).values(),
  ];
}

const byPlan = ({ table, event }: Pick<PlanChange, 'table' | 'event'>): Change => ({
  table,
  event,
  columns: [],
  by: null,
});

/** The changes that the configuration describes, whether or not a plan can be made of it. */
function meant(work: TablesWork, catalogue: Catalogue): Pick<PlanChange, 'table' | 'event'>[] {
  const deleted = work.tables
    .filter(({ action }) => action.kind === 'delete')
    .map(({ table }) => table);
  const overwritten = work.tables.filter(({ action }) => action.kind === 'overwrite');
  const cascades = findCascades(catalogue, deleted, work).map(({ key, effect }) => ({
    table: key.table,
    event: effect === 'deleted' ? ('delete' as const) : ('update' as const),
  }));
  return [
    ...(work.detach ?? []).map(({ table }) => ({ table, event: 'update' as const })),
    ...deleted.map((table) => ({ table, event: 'delete' as const })),
    ...overwritten.map(({ table }) => ({ table, event: 'update' as const })),
    ...cascades.filter(({ table }) => work.cascades.includes(table)),
  ];
}

function unlisted({ table, event }: Change, { name }: Trigger, isHeld: boolean): CheckLine[] {
  const look = `look at what it does (it may copy what is erased), then list it: triggers: [${name}]`;
  return [
    isHeld
      ? warning(
          table,
          `the trigger ${name} fires on ${event}, where rows of ${table} that refer to themselves or to each other are let go: such a request may be held; ${look}`,
        )
      : problem(table, `the trigger ${name} fires on ${event}; ${look}`),
  ];
}

/** On other databases the changes of a trigger are counted. */
function checkWritten({ table, event, by, along }: Change, work: TablesWork): CheckLine[] {
  if (by === null || event === 'own' || work.cascades.includes(table)) return [];
  const list = `and the database does not tell what it changes there; if that is meant, list the table: cascades: [${table}]`;
  if (along === undefined) return [problem(table, `the trigger ${by} writes to ${table}, ${list}`)];
  const does = event === 'delete' ? 'deletes rows of' : 'changes rows of';
  return [
    problem(
      table,
      `the trigger ${by} writes to ${along.table}, and the foreign key ${along.key.name} then also ${does} ${table}, ${list}`,
    ),
  ];
}

/** Reports what is not known about its text. */
function checkText(table: string, { name, text }: Trigger): CheckLine[] {
  if (text === undefined) return [];
  return [
    ...text.calls.map((routine) =>
      acceptable(
        `trigger:${name}`,
        table,
        `the trigger ${name} calls ${routine}, and the database does not tell what that changes; look at it, and write its statements into the trigger`,
      ),
    ),
    ...(text.unread === null
      ? []
      : [
          acceptable(
            `trigger:${name}`,
            table,
            `what the trigger ${name} changes cannot be read from its text (${text.unread}), and the database does not tell either; look at it, and write it in plain statements (docs/targets-reference.md, "Triggers of MySQL and MariaDB")`,
          ),
        ]),
  ];
}
