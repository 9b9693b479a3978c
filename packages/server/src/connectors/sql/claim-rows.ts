// What was found, for each subject apart. Rows that several subjects share are counted and erased for the
// oldest of them, also where halving has looked at them in different statements.
import type { Counts, Found, KeyRow, Preview, Subject } from '../../domain/connector.ts';
import { type FoundRows, rowId } from './found-rows.ts';
import type { Plan } from './plan.ts';

/** Each subject with all its rows; a row may be there several times. */
export function handOutRows(
  plan: Plan,
  subjects: readonly Subject[],
  found: FoundRows,
  loosened: readonly Counts[],
): Found[] {
  const all = subjects.map((_, place) => ({
    counts: { ...loosened[place] } as Record<string, number>,
    retained: {} as Record<string, number>,
    keys: {} as Record<string, KeyRow[]>,
  }));
  for (const { name, action } of plan.tables) {
    for (const { values, owners } of found.get(name)?.values() ?? []) {
      for (const owner of owners) {
        const own = all[owner];
        if (own === undefined) continue;
        if (action.kind === 'retain') own.retained[name] = (own.retained[name] ?? 0) + 1;
        else addKey(own, name, values);
      }
    }
  }
  return all.map((own) => ({ outcome: 'found', sharedWith: [], ...own }));
}

export function claimRows(
  plan: Plan,
  subjects: readonly Subject[],
  previews: readonly Preview[],
): Preview[] {
  const oldestFirst = subjects
    .map(({ taskNo }, place) => ({ taskNo, place }))
    .sort((a, b) => a.taskNo - b.taskNo);
  const claimed = new Map(plan.erased.map((table) => [table.name, new Map<string, number>()]));
  const answers = [...previews];
  for (const { taskNo, place } of oldestFirst) {
    const preview = previews[place];
    if (preview?.outcome !== 'found') continue;
    const own = { counts: { ...preview.counts }, keys: {} as Record<string, KeyRow[]> };
    const sharedWith = new Set<number>();
    for (const table of plan.erased) {
      const owners = claimed.get(table.name);
      const rows = preview.keys[table.name] ?? [];
      if (rows.length > 0) own.counts[table.name] = 0;
      for (const values of rows) {
        const id = rowId(table, values);
        const older = owners?.get(id);
        if (older !== undefined) sharedWith.add(older);
        else addKey(own, table.name, values);
        owners?.set(id, older ?? taskNo);
      }
      if (own.counts[table.name] === 0) delete own.counts[table.name];
    }
    answers[place] = { ...preview, ...own, sharedWith: [...sharedWith].sort((a, b) => a - b) };
  }
  return answers;
}

function addKey(
  own: { counts: Record<string, number>; keys: Record<string, KeyRow[]> },
  table: string,
  values: KeyRow,
): void {
  own.counts[table] = (own.counts[table] ?? 0) + 1;
  const keys = own.keys[table];
  if (keys === undefined) own.keys[table] = [values];
  else keys.push(values);
}
