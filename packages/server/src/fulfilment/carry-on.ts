// What an earlier attempt means for this one: rows that it named and that are still to be looked at, and
// rows that it has erased. Nothing is claimed that is still there, nor that it never began to erase.
import { byName } from '../domain/by-name.ts';
import {
  type Counts,
  type Found,
  type KeyLayout,
  type Keys,
  type Settlement,
  totalOf,
} from '../domain/connector.ts';
import type { OpenedIntent } from './intents.ts';
import { addKeys, type Intended } from './merge-intent.ts';

export interface CarriedOn {
  /** Rows to be looked at beside those that a preview finds now. */
  readonly rows: Intended | undefined;
  /** What an earlier attempt has erased and could not say: known from rows that are not there any more. */
  readonly recovered: Counts;
  /** Rows of an intent that was never carried out, and that somebody else has deleted since. */
  readonly alreadyGone: Counts;
  /** All rows that earlier attempts erased: nothing may refer to them. */
  readonly gone: Keys;
  /** Whether an earlier attempt has erased: what it kept and retained is not found any more. */
  readonly isErased: boolean;
}

export interface EarlierAttempt {
  readonly intent: OpenedIntent | undefined;
  /** Asked of the target, where it can be. */
  readonly settled: Extract<Settlement, { outcome: 'settled' }> | undefined;
  readonly isSamePlan: boolean;
  /** Another request erased the same person since: the rows are in its evidence, and count once. */
  readonly isAnothers: boolean;
}

/** The same place, the same tables, and keys of the same columns. */
export function isSamePlan(
  intent: OpenedIntent,
  plan: string,
  found: Pick<Found, 'layout'>,
): boolean {
  if (intent.plan !== '' && intent.plan !== plan) return false;
  if (intent.layout === undefined || found.layout === undefined) return true;
  return textOf(intent.layout) === textOf(found.layout);
}

/** Without the time that rows get: it is another in every attempt. */
function textOf(layout: KeyLayout): string {
  return JSON.stringify(
    Object.entries(layout).map(([table, { time: _, ...columns }]) => [table, columns]),
  );
}

export function isSamePlace(intent: OpenedIntent, plan: string): boolean {
  const placeOf = (digest: string) => digest.split('-')[0];
  return intent.plan === '' || placeOf(intent.plan) === placeOf(plan);
}

export function carryOn(earlier: EarlierAttempt, found: Pick<Found, 'keys'>): CarriedOn {
  const { intent, settled, isSamePlan: isSame, isAnothers } = earlier;
  const nothing = { recovered: byName<number>(), alreadyGone: byName<number>() };
  const before = (isSame && intent?.gone) || byName<never>();
  const isKnown = Object.keys(before).length > 0;
  if (intent === undefined || settled === undefined)
    return { ...nothing, rows: isSame ? intent : undefined, gone: before, isErased: isKnown };
  const { there, tied, gone } = settled;
  const rows = isSame ? { ...intent, ...countedKeys(there) } : undefined;
  // Rows of one request go in one transaction: while one of them is there as it was, none went by it. One
  // that is tied to nobody is: its parent was deleted by somebody else.
  const isErased =
    intent.state === 'done' ||
    (intent.state === 'erasing' &&
      totalOf(gone) > 0 &&
      sizeOf(there) === sizeOf(tied) &&
      !haveCommonRow(tied, found.keys));
  if (!isErased) return { ...nothing, rows, alreadyGone: gone, gone: before, isErased: isKnown };
  const isClaimed = intent.state === 'erasing' && !isAnothers;
  return {
    ...nothing,
    rows,
    recovered: isClaimed ? gone : nothing.recovered,
    gone: isSame ? addKeys(before, without(intent.keys, there)) : before,
    isErased: true,
  };
}

function countedKeys(keys: Keys): Pick<Intended, 'keys' | 'counts'> {
  return {
    keys,
    counts: byName(Object.entries(keys).map(([table, rows]) => [table, rows.length])),
  };
}

function sizeOf(keys: Keys): number {
  return Object.values(keys).reduce((sum, rows) => sum + rows.length, 0);
}

function without(keys: Keys, others: Keys): Keys {
  return byName(
    Object.entries(keys).map(([table, rows]) => {
      const excluded = new Set((others[table] ?? []).map((row) => JSON.stringify(row)));
      return [table, rows.filter((row) => !excluded.has(JSON.stringify(row)))];
    }),
  );
}

function haveCommonRow(a: Keys, b: Keys): boolean {
  return Object.entries(a).some(([table, rows]) => {
    const others = new Set((b[table] ?? []).map((row) => JSON.stringify(row)));
    return rows.some((row) => others.has(JSON.stringify(row)));
  });
}
