import type { CheckLine } from '../../../domain/connector.ts';
import type { TablesWork } from '../../../domain/target.ts';
import type { Catalogue } from '../catalogue.ts';
import { findCascades } from '../plan/find-cascades.ts';
import { note, problem } from './line.ts';

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
  const found = fired.flatMap(({ table, event }) =>
    (catalogue.get(table)?.triggers ?? [])
      .filter(({ name, events }) => events.includes(event) && !work.triggers.includes(name))
      .map(({ name }) =>
        problem(
          table,
          `the trigger ${name} fires on ${event}; look at what it does (it may copy what is erased), then list it: triggers: [${name}]`,
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
