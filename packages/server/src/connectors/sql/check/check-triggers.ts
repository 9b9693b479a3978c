import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue, RowEvent, Trigger } from '../catalogue.ts';
import { findCascades } from '../plan/find-cascades.ts';
import { acceptable, note, problem } from './line.ts';

/** Triggers that fire on what the plan does, and that nobody has said to have looked at. */
export function checkTriggers(work: TablesWork, catalogue: Catalogue): CheckLine[] {
  const deleted = work.tables
    .filter(({ action }) => action.kind === 'delete')
    .map(({ table }) => table);
  const overwritten = work.tables.filter(({ action }) => action.kind === 'overwrite');
  const cascades = findCascades(catalogue, deleted, work).map(({ key, effect }) => ({
    table: key.table,
    effect,
  }));
  const listed = cascades.filter(({ table }) => work.cascades.includes(table));
  const detached = (work.detach ?? []).map(({ table }) => ({ table, event: 'update' as const }));
  const fired = [
    ...detached,
    ...deleted.map((table) => ({ table, event: 'delete' as const })),
    ...overwritten.map(({ table }) => ({ table, event: 'update' as const })),
    ...listed.map(({ table, effect }) => ({
      table,
      event: effect === 'deleted' ? ('delete' as const) : ('update' as const),
    })),
  ];
  const found = withFurther(fired, work, catalogue).flatMap(({ table, event }) =>
    (catalogue.get(table)?.triggers ?? [])
      .filter(({ events }) => events.includes(event))
      .flatMap((trigger) =>
        work.triggers.includes(trigger.name)
          ? checkText(table, trigger, work)
          : problem(
              table,
              `the trigger ${trigger.name} fires on ${event}; look at what it does (it may copy what is erased), then list it: triggers: [${trigger.name}]`,
            ),
      ),
  );
  const known = new Set(
    [...catalogue.values()].flatMap(({ triggers }) => triggers.map(({ name }) => name)),
  );
  const idle = work.triggers
    .filter((name) => !known.has(name))
    .map((name) =>
      note(name, 'is listed under "triggers", but no table of the plan has it; the entry can go'),
    );
  return [
    ...new Map([...found, ...idle].map((line) => [line.subject + line.message, line])).values(),
  ];
}

interface Fired {
  readonly table: string;
  readonly event: RowEvent;
}

/** What listed triggers write in turn, where that is known. */
function withFurther(fired: readonly Fired[], work: TablesWork, catalogue: Catalogue): Fired[] {
  const all = new Map(fired.map((one) => [`${one.table}\0${one.event}`, one]));
  // Grows while it is gone through.
  for (const { table, event } of all.values())
    for (const { name, events, text } of catalogue.get(table)?.triggers ?? [])
      if (events.includes(event) && work.triggers.includes(name))
        for (const write of text?.writes ?? [])
          if (!all.has(`${write.table}\0${write.event}`))
            all.set(`${write.table}\0${write.event}`, write);
  return [...all.values()];
}

/** Elsewhere it is counted what a trigger changes. */
function checkText(table: string, { name, text }: Trigger, work: TablesWork): CheckLine[] {
  if (text === undefined) return [];
  const written = new Set(text.writes.map((write) => write.table));
  return [
    ...[...written]
      .filter((other) => !work.cascades.includes(other))
      .map((other) =>
        problem(
          table,
          `the trigger ${name} writes to ${other}, and the database does not tell what it changes there; if that is meant, list the table: cascades: [${other}]`,
        ),
      ),
    ...text.calls.map((routine) =>
      acceptable(
        `trigger:${name}`,
        table,
        `the trigger ${name} calls ${routine}, and the database does not tell what that changes; look at it, and write its statements into the trigger`,
      ),
    ),
  ];
}
