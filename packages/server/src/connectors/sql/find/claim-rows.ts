// The rows found for each subject. Rows that several subjects share are counted and erased for the oldest of
// them, even if bisecting has searched for them in different statements.
import { byName } from '../../../domain/by-name.ts';
import type { Found, KeyRow, Keys, Preview, Subject } from '../../../domain/target/connector.ts';
import type { KeyLayout, TableLayout } from '../../../domain/target/row-layout.ts';
import type { Plan, PlannedTable } from '../plan/plan.ts';
import { writtenWhere } from '../plan/where-values.ts';
import { type Detached, saidOf } from './decide-references.ts';
import { type Findings, rowId } from './found-rows.ts';

/** Each subject with all its rows; a row may occur several times. */
export function handOutRows(
  plan: Plan,
  subjects: readonly Subject[],
  { tables }: Findings,
  detached: readonly Detached[],
): Found[] {
  const all = subjects.map((_, place) => ({
    counts: byName<number>(),
    ...saidOf(detached[place]),
    retained: byName<number>(),
    retainedRows: byName<KeyRow[]>(),
    kept: byName<KeyRow[]>(),
    keys: byName<KeyRow[]>(),
  }));
  const overwritten = new Set<number>();
  for (const { name, action } of plan.tables) {
    for (const { values, owners, kept, isDone, times = 1 } of tables.get(name)?.values() ?? []) {
      if (isDone) {
        for (const owner of owners) overwritten.add(owner);
        continue;
      }
      for (const owner of owners) {
        const own = all[owner];
        if (own === undefined) continue;
        for (let row = 0; row < times; row++) {
          if (action.kind === 'retain')
            addKey({ counts: own.retained, keys: own.retainedRows }, name, values);
          else if (kept?.includes(owner)) addTo(own.kept, name, values);
          else addKey(own, name, values);
        }
      }
    }
  }
  const layout = layoutOf(plan);
  return all.map((own, place) => ({
    outcome: 'found',
    sharedWith: [],
    layout,
    ...own,
    ...(overwritten.has(place) && { hasOverwritten: true }),
  }));
}

/** Which columns the keys contain, and what overwritten rows get. */
export function layoutOf(plan: Plan): KeyLayout {
  const time = new Date().toISOString();
  return byName(
    plan.tables.map((entry) => {
      const { name, table, schema, where, columns, keySize, action, vias, isUnnamed, isCascaded } =
        entry;
      const layout: TableLayout = {
        columns: columns.map((column) => column.name),
        keySize,
        action: action.kind,
        ...(action.kind === 'overwrite' && { overwrite: action.columns }),
        ...(isUnnamed && { isUnnamed }),
        ...(isCascaded && { isCascaded }),
        ...(vias.some(({ isForeignKey }) => !isForeignKey) && { isLoose: true as const }),
        ...(table !== name && { table }),
        ...(schema !== undefined && { schema }),
        ...(where.length > 0 && { where: writtenWhere(where) }),
        ...(hasTime(action) && { time }),
      };
      return [name, layout];
    }),
  );
}

function hasTime(action: PlannedTable['action']): boolean {
  return (
    action.kind === 'overwrite' && Object.values(action.columns).some(({ kind }) => kind === 'now')
  );
}

export function claimRows(
  plan: Plan,
  subjects: readonly Subject[],
  previews: readonly Preview[],
): Preview[] {
  const oldestFirst = subjects
    .map(({ taskNo }, place) => ({ taskNo, place }))
    .sort((a, b) => a.taskNo - b.taskNo);
  const tables = sharableTables(plan, previews);
  const claimed = new Map(tables.map((table) => [table.name, new Map<string, number>()]));
  const answers = [...previews];
  for (const { taskNo, place } of oldestFirst) {
    const preview = previews[place];
    if (preview?.outcome !== 'found') continue;
    const own = {
      counts: byName(Object.entries(preview.counts)),
      keys: byName(Object.entries(preview.keys)) as Rows,
    };
    const sharedWith = new Set<number>();
    const counted = new Map<string, Set<string>>();
    for (const table of tables) {
      const others = table.beside.flatMap((name) => counted.get(name) ?? []);
      const counts = new Set<string>();
      if (table.beside.length > 0) counted.set(table.name, counts);
      const owners = claimed.get(table.name);
      const rows = preview.keys[table.name] ?? [];
      if (rows.length > 0) {
        own.counts[table.name] = 0;
        delete own.keys[table.name];
      }
      for (const values of rows) {
        const id = rowId(table, values);
        const older = owners?.get(id);
        if (older !== undefined && older !== taskNo) sharedWith.add(older);
        // A row of several entries counts once.
        else if (others.some((ids) => ids.has(id))) addTo(own.keys, table.name, values);
        else {
          addKey(own, table.name, values);
          counts.add(id);
        }
        owners?.set(id, older ?? taskNo);
      }
      if (own.counts[table.name] === 0) delete own.counts[table.name];
    }
    answers[place] = { ...preview, ...own, sharedWith: [...sharedWith].sort((a, b) => a - b) };
  }
  return answers;
}

type Rows = Record<string, KeyRow[]>;

/** Rows of a table without a unique key are identified within one transaction only: what is kept is their number. */
export function withoutUnnamed({ tables }: Plan, preview: Preview): Preview {
  const unnamed = tables.filter(({ isUnnamed }) => isUnnamed);
  if (preview.outcome !== 'found' || unnamed.length === 0) return preview;
  const names = new Set(unnamed.map(({ name }) => name));
  const named = (keys: Keys) => byName(Object.entries(keys).filter(([table]) => !names.has(table)));
  const { retainedRows = byName<never>() } = preview;
  return {
    ...preview,
    keys: named(preview.keys),
    retainedRows: named(retainedRows),
  };
}

/**
 * Rows with one parent each are shared only if a row of the parent is shared: most tables need no check.
 * Rows that stay may lead to others without being in the preview: retained rows, and rows that are
 * overwritten already.
 */
function sharableTables(plan: Plan, previews: readonly Preview[]): PlannedTable[] {
  const shared = new Set(plan.tables.map(({ name }) => name));
  for (const table of plan.tables) {
    const [via] = table.vias;
    const isOfOne = !table.hasSeveralOwners && via !== undefined;
    const isShared =
      table.action.kind !== 'delete' ||
      (isOfOne ? via.entries.some((parent) => shared.has(parent)) : hasTwice(table, previews));
    if (!isShared) shared.delete(table.name);
  }
  return plan.erased.filter(({ name }) => shared.has(name));
}

function hasTwice(table: PlannedTable, previews: readonly Preview[]): boolean {
  const seen = new Set<string>();
  for (const preview of previews) {
    if (preview.outcome !== 'found') continue;
    for (const values of preview.keys[table.name] ?? []) {
      const id = rowId(table, values);
      if (seen.has(id)) return true;
      seen.add(id);
    }
  }
  return false;
}

function addKey(
  own: { counts: Record<string, number>; keys: Rows },
  table: string,
  values: KeyRow,
): void {
  own.counts[table] = (own.counts[table] ?? 0) + 1;
  addTo(own.keys, table, values);
}

function addTo(rows: Rows, table: string, values: KeyRow): void {
  const known = rows[table];
  if (known === undefined) rows[table] = [values];
  else known.push(values);
}
