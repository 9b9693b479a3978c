// What would happen in the database beside what the operator has declared: found before anything is touched.
import type { TablesWork } from '../../../domain/target.ts';
import type { Catalogue, ForeignKey } from '../catalogue.ts';
import { findCascades } from './find-cascades.ts';

/** In our words; undefined where everything is as declared. */
export function findUnplanned(work: TablesWork, catalogue: Catalogue): string | undefined {
  const deleted = work.tables.filter((table) => table.action.kind === 'delete');
  const planned = new Set(deleted.map((table) => table.table));
  const listed = new Set(work.cascades);
  const changed = new Set<string>();

  const kept = new Set(work.tables.map(({ table }) => table).filter((name) => !planned.has(name)));

  for (const { key, effect } of findCascades(catalogue, [...planned])) {
    if (effect === 'deleted' && kept.has(key.table))
      return `deleting from ${key.referenced} also deletes from ${key.table} (foreign key ${key.name}), which the target declares to keep; change the key or the target`;
    if (planned.has(key.table) || listed.has(key.table)) {
      if (effect === 'changed') changed.add(key.table);
      continue;
    }
    return `deleting from ${key.referenced} also changes ${key.table} (foreign key ${key.name}), which the target does not declare; add it to "tables" or "cascades"`;
  }
  for (const { table, action } of work.tables) {
    if (action.kind !== 'overwrite') continue;
    changed.add(table);
    const key = catalogue.get(table)?.referencedBy.find((key) => follows(key, action.columns));
    if (key !== undefined && !listed.has(key.table))
      return `overwriting ${table} also changes ${key.table} (foreign key ${key.name}), which the target does not declare; add it to "cascades"`;
  }
  return (
    unlookedTrigger(work, catalogue, [...planned, ...listed], 'delete') ??
    unlookedTrigger(work, catalogue, [...changed], 'update')
  );
}

function follows(key: ForeignKey, columns: Readonly<Record<string, unknown>>): boolean {
  if (key.onUpdate === 'no_action' || key.onUpdate === 'restrict') return false;
  return key.referencedColumns.some((column) => Object.hasOwn(columns, column));
}

function unlookedTrigger(
  work: TablesWork,
  catalogue: Catalogue,
  tables: readonly string[],
  event: 'delete' | 'update',
): string | undefined {
  for (const table of tables) {
    const trigger = catalogue
      .get(table)
      ?.triggers.find(
        ({ name, events }) => events.includes(event) && !work.triggers.includes(name),
      );
    if (trigger !== undefined)
      return `the trigger ${trigger.name} of ${table} fires on ${event}, and the target does not declare it; look at what it does, and add it to "triggers"`;
  }
  return undefined;
}
