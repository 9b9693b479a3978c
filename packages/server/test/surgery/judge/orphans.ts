// Rows that are still there while what they belonged by is gone: those of an earlier intent, and those that
// somebody has added since.

import { entryOf, haveOneKey, isKeyless, type Snapshot, type World } from '../declared-world.ts';
import type {
  DeclaredTable,
  GeneratedCase,
  GeneratedRequest,
  Pair,
  Row,
} from '../generated-case.ts';
import { isReferredTo } from '../make/keep-constraints.ts';
import type { TryRecord } from '../run-case.ts';
import { isSamePlan } from '../same-plan.ts';
import { isNearly, valuesIn } from './compare-values.ts';
import { findOwnership, type Ownership } from './model.ts';

export interface Orphan {
  readonly table: string;
  readonly rid: string;
  /** Unchanged, and its parent is gone: to be held. Otherwise tied to nobody any more: may be held. */
  readonly isCertain: boolean;
}

type Via = DeclaredTable['via'][number];

/** As of the end of the last of the tries, or of what was seen in it. */
export function findOrphans(
  generated: GeneratedCase,
  records: readonly TryRecord[],
  request: GeneratedRequest,
  seen?: Snapshot,
): Orphan[] {
  const last = records.at(-1);
  if (last === undefined) return [];
  const { configuration } = last;
  const after = seen ?? last.after;
  const world = { ...generated, configuration };
  const now = findOwnership(world, after, request).claims;
  const changed = records.findLastIndex((one) => !isSamePlan(one.configuration, configuration));
  return records.flatMap((record, at) => {
    // What was found before a pause stays known too: to hold is no mistake.
    if (!record.hasIntent && record.erasing === undefined) return [];
    // What an intent of another configuration named may be known or not: to hold is no mistake.
    const isOther = at <= changed;
    const worldThen = isOther ? { ...generated, configuration: record.configuration } : world;
    // As the transaction found them: what others did before is as if they had done it before the try.
    const found = record.erasing?.from ?? record.before;
    const then = findOwnership(worldThen, found, request);
    if (then.holds.length > 0) return [];
    // Rows of several requests are the first one's.
    const isFirst = ({ table, rid }: Orphan) =>
      !generated.requests
        .slice(0, generated.requests.indexOf(request))
        .some((one) => findOwnership(world, record.before, one).claims.get(table)?.has(rid));
    // It was tied to somebody unknown too when it was decided about, and `shared: keep` has kept it.
    const isKept = ({ table, rid }: Orphan) =>
      records.slice(at).some(({ erasing, before }) => {
        const decided = findOwnership(world, erasing?.from ?? before, request);
        return decided.claims.get(table)?.get(rid) === 'kept';
      });
    return [
      ...leftBehind(world, then.claims, now, found, after).map((orphan) => ({
        ...orphan,
        isCertain:
          orphan.isCertain && record.hasIntent && !isOther && isFirst(orphan) && !isKept(orphan),
      })),
      ...addedSince(world, then.claims, now, found, after),
      ...inPlaceOfOthers(world, then.claims, now, found, after),
    ];
  });
}

type Claims = Ownership['claims'];

/** Rows that were the person's, and are tied to nobody now. */
export function leftBehind(
  world: World,
  then: Claims,
  now: Claims,
  before: Snapshot,
  after: Snapshot,
): Orphan[] {
  return [...then].flatMap(([table, claims]) =>
    [...claims].flatMap(([rid, claim]): Orphan[] => {
      const row = after.get(table)?.get(rid);
      const entry = row && entryOf(world, table, row);
      if (claim !== 'own' || row === undefined || now.get(table)?.has(rid)) return [];
      if (entry === undefined || entry.action === 'retain') return [];
      if (entry.via.some((via) => refersToAny(world, table, row, via, after))) return [];
      const columns = Object.values(entry.match).flat();
      if (columns.some((column) => valuesIn(row, column).length > 0)) return [];
      const isSame = JSON.stringify(row) === JSON.stringify(before.get(table)?.get(rid));
      const isNamed = columns.length === 0 && !isKeyless(world, entry);
      return [{ table, rid, isCertain: isSame && isNamed && entry.action === 'delete' }];
    }),
  );
}

/** Rows of nobody that refer to what was the person's: to hold is no mistake. */
function addedSince(
  world: World,
  then: Claims,
  now: Claims,
  before: Snapshot,
  after: Snapshot,
): Orphan[] {
  return world.configuration.tables.flatMap((entry) =>
    entry.via.flatMap(({ parent, pairs }) => {
      const gone = [...(then.get(parent)?.keys() ?? [])].flatMap((rid) => {
        const row = before.get(parent)?.get(rid);
        // What was overwritten is there, and may not be found any more.
        const isFound = after.get(parent)?.has(rid) && now.get(parent)?.has(rid);
        return row === undefined || isFound ? [] : [row];
      });
      return [...(after.get(entry.table) ?? [])]
        .filter(([rid, row]) => {
          if (now.get(entry.table)?.has(rid)) return false;
          return gone.some(
            (above) =>
              refers(world, entry.table, row, { parent, pairs }, above) ||
              areNearly(row, above, pairs),
          );
        })
        .map(([rid]): Orphan => ({ table: entry.table, rid, isCertain: false }));
    }),
  );
}

/** Rows of nobody with the key of one that went: not to be told from it. */
function inPlaceOfOthers(
  world: World,
  then: Claims,
  now: Claims,
  before: Snapshot,
  after: Snapshot,
): Orphan[] {
  return world.configuration.tables.flatMap((entry) => {
    const { table } = entry;
    const gone = [...(then.get(table)?.keys() ?? [])].flatMap((rid) => {
      const row = before.get(table)?.get(rid);
      return row === undefined || after.get(table)?.has(rid) ? [] : [row];
    });
    return [...(after.get(table) ?? [])]
      .filter(([rid, row]) => {
        if (now.get(table)?.has(rid) || before.get(table)?.has(rid)) return false;
        return gone.some((other) => haveOneKey(world, [entry], row, other));
      })
      .map(([rid]): Orphan => ({ table, rid, isCertain: false }));
  });
}

/** Written differently, it may be meant all the same. */
const areNearly = (row: Row, above: Row, pairs: readonly Pair[]) =>
  pairs.every(({ child, parent }) => {
    const [mine, theirs] = [row[child] ?? null, above[parent] ?? null];
    return mine !== null && theirs !== null && isNearly(mine, theirs);
  });

const refers = (
  { database, tables }: World,
  table: string,
  row: Row,
  { parent, pairs }: Via,
  above: Row,
) => isReferredTo(database, tables, table, row, parent, above, pairs);

function refersToAny(world: World, table: string, row: Row, via: Via, rows: Snapshot): boolean {
  return [...(rows.get(via.parent)?.values() ?? [])].some((above) =>
    refers(world, table, row, via, above),
  );
}
