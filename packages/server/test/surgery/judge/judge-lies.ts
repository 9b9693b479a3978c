// No lie: a task that is erased has left no row of the person in any declared table.

import { entryOf, type Snapshot } from '../declared-world.ts';
import type { Configuration, GeneratedCase } from '../generated-case.ts';
import type { TryRecord } from '../run-case.ts';
import { isAsConfigured } from './is-as-configured.ts';
import { findOwnership, isHeldForLookup, type Ownership } from './model.ts';
import { findOrphans } from './orphans.ts';
import type { Violation } from './violation.ts';

export function judgeLies(generated: GeneratedCase, records: readonly TryRecord[]): Violation[] {
  return generated.requests.flatMap((request, at) => {
    const tryNo = records.findIndex(({ tasks }) => tasks[at]?.state === 'erased');
    const record = records[tryNo];
    if (record === undefined || record.tasks[at]?.evidence?.action === 'skipped') return [];
    const lie = (rule: string, detail: string): Violation => ({ kind: 'lie', tryNo, rule, detail });
    const { configuration } = record;
    const world = { ...generated, configuration };
    if (record.problems.length > 0) return [lie('refused', 'erased although the gate refuses it')];
    const atErasing = record.erasing?.from ?? record.before;
    const owned = findOwnership(world, atErasing, request);
    const left = findOwnership(world, record.after, request);
    // What was the person's and is gone counts as somebody else's afterwards.
    const isOwnParentGone = (table: string) =>
      configuration.tables.some(
        (entry) =>
          entry.table === table &&
          entry.via.some(({ parent }) => (owned.claims.get(parent)?.size ?? 0) > 0),
      );
    // What its own erasing has taken from a lookup is the person's all the same.
    const { lookedUp: _, ...known } = request;
    const leftByAll = findOwnership(world, record.after, known);
    const later = left.holds
      .filter(({ reason, table }) => reason !== 'shared' || !isOwnParentGone(table))
      .filter(({ reason }) => leftByAll.holds.some((one) => one.reason === reason));
    // What another transaction did meanwhile may have been seen or not.
    const holds = record.changedDuring.size > 0 ? later : [...owned.holds, ...later];
    // Rows of several requests are the first one's.
    const earlier = generated.requests
      .slice(0, at)
      .filter((_, place) => record.tasks[place]?.state === 'erased')
      .map((one) => findOwnership(world, record.before, one).claims);
    const isOthers = (table: string, rid: string) =>
      earlier.some((claims) => claims.get(table)?.has(rid) === true);
    // A person has decided that rows stay which are found by what is not proven: the evidence says so.
    const isReleased = generated.tries.slice(0, tryNo + 1).some((one) => one.isReleased);
    const isSaid = Object.values(record.tasks[at]?.evidence?.tables ?? {}).some(
      ({ unproven = 0 }) => unproven > 0,
    );
    if (!(isReleased && isSaid) && isHeldForLookup(world, record.before, request, isOthers))
      return [lie('not held: resolve', 'what was looked up is another by now')];
    const toEnd = record.erasing?.to ?? record.after;
    return [
      ...holds.map(({ reason, table }) => lie(`not held: ${reason}`, `because of ${table}`)),
      ...stillThere(configuration, owned, toEnd, record.changedDuring),
      ...stillThere(configuration, left, record.after, record.changedDuring),
      ...findOrphans(generated, records.slice(0, tryNo + 1), request)
        .filter(({ isCertain }) => isCertain)
        .map(({ table, rid }) => `${table} ${rid}, whose parent went before it`),
    ].map((one) =>
      typeof one === 'string' ? lie(tryNo > 0 ? 'left, tried again' : 'left', `left ${one}`) : one,
    );
  });
}

function stillThere(
  configuration: Configuration,
  { claims }: Ownership,
  rows: Snapshot,
  changedDuring: ReadonlySet<string>,
): string[] {
  return [...claims].flatMap(([table, ofTable]) =>
    [...ofTable]
      .filter(([rid, claim]) => claim === 'own' && !changedDuring.has(rid))
      .filter(([rid]) => {
        const row = rows.get(table)?.get(rid);
        const entry = row && entryOf({ configuration }, table, row);
        return entry !== undefined && !isAsConfigured(entry, row);
      })
      .map(([rid]) => `${table} ${rid}`),
  );
}
