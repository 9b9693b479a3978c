// What an earlier attempt means for this one: rows that it named and that have to be accounted for, and rows
// that it has erased. Rows that are still there, or that it never began to erase, are not claimed.
import { byName } from '../../domain/by-name.ts';
import { type Counts, type Found, type Keys, totalOf } from '../../domain/target/connector.ts';
import { recoverDetached } from '../evidence/detached-rows.ts';
import { countOnce } from '../evidence/make-evidence.ts';
import type { OpenedIntent } from './intents.ts';
import { addKeys, commonKeys, countKeys, hasRows, withoutKeys } from './key-rows.ts';
import { addCounts, countsToErase } from './merge-intent.ts';
import { rowsOfSameColumns } from './same-plan.ts';
import type { SettledIntent } from './settle-intents.ts';

export interface CarriedOn {
  /** The rows to erase now. */
  readonly keys: Keys;
  readonly counts: Counts;
  /** Rows of earlier intents that still exist, but are not found for the person any more. */
  readonly watched: Keys;
  /** Rows that an earlier attempt erased without recording it: they are gone now. */
  readonly recovered: Counts;
  /** Rows of intents that were never carried out, which another process has deleted since. */
  readonly alreadyGone: Counts;
  /** All rows that earlier attempts erased: nothing may refer to them, and each counts once. */
  readonly gone: Keys;
  /** Those of them that were erased under another plan. */
  readonly goneElsewhere: Keys;
  /** Rows that earlier attempts detached, and that have no such references now. */
  readonly detachedBefore: Keys;
  readonly recoveredDetached: Counts;
  /** Whether an earlier attempt has erased: then rows that it kept and retained cannot be found any more. */
  readonly isErased: boolean;
  /** For tables without a unique key: rows to overwrite again, because they get another time now. */
  readonly again: Counts;
  /** A table whose rows belong to the person by values of deleted rows that were not recorded. */
  readonly untraceable?: string | undefined;
  /** A table without a unique key whose rows belonged to rows that another process has deleted. */
  readonly orphaned?: string | undefined;
}

export interface EarlierAttempt {
  readonly intent: OpenedIntent | undefined;
  /** The target's answer on how the attempt ended, if it can be asked. */
  readonly settled: SettledIntent | undefined;
  readonly isSamePlan: boolean;
  readonly isSamePlace: boolean;
  /** Another request has erased the same person since: the rows are in its evidence, and count once. */
  readonly isAnothers: boolean;
  /** The intent was carried out as a whole, and all of its rows are on record. */
  readonly isReported: boolean;
  /** The rows that all attempts together have reported. */
  readonly reported: Counts;
}

type FoundNow = Pick<Found, 'keys' | 'kept' | 'counts' | 'layout' | 'sharedWith'>;

export function carryOn(earlier: EarlierAttempt, found: FoundNow): CarriedOn {
  const { intent, settled, isSamePlan: isSame } = earlier;
  // Rows that were erased here stay erased, even if the plan has changed.
  const stillKnown = (rows: Keys | undefined): Keys =>
    earlier.isSamePlace && rows !== undefined
      ? rowsOfSameColumns(rows, intent?.layout, found.layout)
      : byName<never>();
  /** Keyed by the names that the intent uses. */
  const erasedBefore = (earlier.isSamePlace && intent?.gone) || byName<never>();
  const before = addKeys(
    stillKnown(erasedBefore),
    settled?.keys.renamedBefore ?? byName<never>(),
    found.layout,
  );
  const unchanged: CarriedOn = {
    keys: found.keys,
    counts: found.counts,
    watched: byName<never>(),
    recovered: byName<number>(),
    alreadyGone: byName<number>(),
    gone: before,
    goneElsewhere: (isSame ? intent?.goneElsewhere : before) ?? byName<never>(),
    detachedBefore: intent?.detachedBefore ?? byName<never>(),
    recoveredDetached: byName<number>(),
    isErased: hasRows(before),
    // Counts of an attempt that got no further than its intent.
    again: (isSame && intent?.state !== 'done' && intent?.unnamedAgain) || byName<number>(),
  };
  if (intent === undefined) return unchanged;
  if (settled === undefined)
    return isSame && !(earlier.isReported && found.layout === undefined)
      ? unasked(unchanged, intent, found)
      : unchanged;
  const { keys, watched } = settled;
  const isVoided = intent.voided !== undefined;
  const isErased = isVoided
    ? hasRows(keys.gone)
    : intent.state === 'done' || isCarriedOut(intent, settled, found);
  const erased = isErased
    ? addKeys(
        stillKnown(erasedBy(earlier, intent, keys.gone)),
        keys.renamed ?? byName<never>(),
        found.layout,
      )
    : byName<never>();
  const gone = addKeys(before, erased, found.layout);
  const lost = withoutKeys(keys.gone, erasedBefore, intent.layout);
  const notOurs = isErased && intent.state === 'done' ? goneBefore(earlier, intent, lost) : lost;
  const isClaimed = isErased && intent.state === 'erasing';
  // Rows that an even earlier attempt overwrote are already recorded.
  const unnamed = countOnce(unnamedGone(intent, settled), intent.unnamedAgain ?? byName());
  return {
    ...unchanged,
    // A row with the key of an erased row is a new row.
    watched: isSame
      ? withoutKeys(
          watchedOf(addKeys(keys.there, watched.there, intent.layout), found),
          gone,
          intent.layout,
        )
      : byName<never>(),
    recovered:
      isClaimed && !earlier.isAnothers ? addCounts(countKeys(lost), unnamed) : unchanged.recovered,
    alreadyGone: addCounts(
      isClaimed ? byName() : addCounts(countsOf(notOurs), notErased(earlier, intent, unnamed)),
      countKeys(withoutKeys(watched.gone, erasedBefore, intent.layout)),
    ),
    gone,
    goneElsewhere: isSame ? unchanged.goneElsewhere : gone,
    detachedBefore: isErased
      ? addKeys(unchanged.detachedBefore, keys.detached ?? byName<never>())
      : unchanged.detachedBefore,
    recoveredDetached:
      isClaimed && !earlier.isAnothers
        ? recoverDetached(intent, keys.detached ?? byName<never>())
        : unchanged.recoveredDetached,
    isErased: isErased || unchanged.isErased,
    again: isErased ? (keys.unnamedDone ?? byName<number>()) : unchanged.again,
    orphaned: isSame && !isErased ? orphanedIn(settled, found) : undefined,
    untraceable: !isVoided && (isErased || hasRows(erasedBefore)) ? keys.untraceable : undefined,
  };
}

/** For a target that cannot be asked, or an attempt that has just ended without changing anything. */
function unasked(unchanged: CarriedOn, intent: OpenedIntent, found: FoundNow): CarriedOn {
  if (found.layout === undefined) {
    const keys = addKeys(found.keys, intent.keys);
    const counts = { ...countsToErase(found, intent.counts), ...countKeys(keys) };
    return { ...unchanged, keys, counts: byName(Object.entries(counts)) };
  }
  const rows = addKeys(intent.keys, intent.watched ?? byName<never>(), intent.layout);
  return { ...unchanged, watched: watchedOf(rows, found) };
}

function watchedOf(rows: Keys, { keys, kept, layout }: FoundNow): Keys {
  return withoutKeys(withoutKeys(rows, keys, layout), kept ?? byName<never>(), layout);
}

/**
 * Rows of one request are erased in one transaction: while one of them is unchanged, that transaction did not
 * commit. An orphaned row counts as unchanged: another process deleted its parent.
 */
function isCarriedOut(intent: OpenedIntent, settled: SettledIntent, found: FoundNow): boolean {
  const { state, layout } = intent;
  const { there, tied, gone } = settled.keys;
  return (
    state === 'erasing' &&
    (hasRows(gone) || isAllGone(intent, settled)) &&
    totalOf(countKeys(there)) === totalOf(countKeys(tied)) &&
    !hasRows(commonKeys(tied, found.keys, layout))
  );
}

/** There are more rows connected to former rows of the person than to present ones. */
function orphanedIn({ keys: { unnamed = {} } }: SettledIntent, found: FoundNow) {
  if (found.sharedWith.length > 0) return undefined;
  return Object.keys(unnamed).find((table) => (unnamed[table] ?? 0) > (found.counts[table] ?? 0));
}

/** For tables without a unique key: how many fewer rows there are than were to be erased. */
function unnamedGone({ counts }: OpenedIntent, { keys: { unnamed } }: SettledIntent): Counts {
  return byName(
    Object.entries(unnamed ?? {}).flatMap(([table, now]): [string, number][] => {
      const less = (counts[table] ?? 0) - now;
      return less > 0 ? [[table, less]] : [];
    }),
  );
}

/**
 * If no row with a key is gone, only the number of rows without a key decides: while one is left, none was
 * erased.
 */
function isAllGone(intent: OpenedIntent, settled: SettledIntent): boolean {
  const { unnamed = byName<number>() } = settled.keys;
  return totalOf(unnamed) === 0 && totalOf(unnamedGone(intent, settled)) > 0;
}

/** Those of the missing rows that the intent did not erase, if it was carried out. */
function notErased(earlier: EarlierAttempt, intent: OpenedIntent, gone: Counts): Counts {
  if (intent.state !== 'done') return gone;
  return byName(
    Object.entries(gone).flatMap(([table, rows]): [string, number][] => {
      const others = rows - erasedCount(earlier, intent, table);
      return others > 0 ? [[table, others]] : [];
    }),
  );
}

/** How many rows of a table an intent erased that was carried out. */
function erasedCount({ reported }: EarlierAttempt, intent: OpenedIntent, table: string): number {
  return (reported[table] ?? 0) - (intent.erasedBefore?.[table] ?? 0);
}

/** For an intent that was carried out: how many rows are gone without having been erased by it. */
function goneBefore(earlier: EarlierAttempt, intent: OpenedIntent, lost: Keys): Counts {
  return byName(
    Object.entries(countKeys(lost)).flatMap(([table, gone]): [string, number][] => {
      const erased = erasedCount(earlier, intent, table);
      return gone > erased ? [[table, gone - erased]] : [];
    }),
  );
}

/** The rows that the intent erased; if it erased all of them, this includes those that have come back since. */
function erasedBy(earlier: EarlierAttempt, intent: OpenedIntent, gone: Keys): Keys {
  if (intent.state !== 'done') return gone;
  return byName(
    Object.entries(intent.keys).map(([table, rows]) => [
      table,
      rows.length <= erasedCount(earlier, intent, table) ? rows : (gone[table] ?? []),
    ]),
  );
}

function countsOf(rows: Keys | Counts): Counts {
  return byName(
    Object.entries(rows).map(([table, own]) => [table, typeof own === 'number' ? own : own.length]),
  );
}
