// Whether an earlier intent has the same address, rows and columns as the present plan.

import { byName } from '../../domain/by-name.ts';
import type { Found, KeyRow, Keys } from '../../domain/target/connector.ts';
import {
  isInSameSchema,
  isSearchedElsewhere,
  type KeyLayout,
  type TableLayout,
} from '../../domain/target/row-layout.ts';
import type { OpenedIntent } from './intents.ts';

/** Whether place, tables and key columns are the same. */
export function isSamePlan(
  intent: OpenedIntent,
  plan: string,
  found: Pick<Found, 'layout' | 'schemas'>,
): boolean {
  if (intent.plan !== plan) return false;
  if (isSearchedElsewhere(intent, found)) return false;
  if (intent.layout === undefined || found.layout === undefined) return true;
  const { layout } = intent;
  return (
    textOf(layout) === textOf(found.layout) &&
    Object.entries(found.layout).every(([table, own]) => isInSameSchema(layout[table], own))
  );
}

/** Leaves out what may differ between two attempts by one plan: the time that rows get, and what is compared apart. */
function textOf(layout: KeyLayout): string {
  return JSON.stringify(
    Object.entries(layout).map(([table, { time: _, isCascaded: __, schema: ___, ...columns }]) => [
      table,
      columns,
    ]),
  );
}

export function isSamePlace(intent: Pick<OpenedIntent, 'plan'>, plan: string): boolean {
  const placeOf = (digest: string) => digest.split('-')[0];
  return placeOf(intent.plan) === placeOf(plan);
}

/**
 * The rows of an intent by the entries and columns of now. A column that is not on record is NULL: a key is never NULL, so
 * such a row is none that exists, and what referred to it is found by the columns that are known.
 */
export function rowsByLayout(rows: Keys, before: KeyLayout, now: KeyLayout): Keys {
  return byName(
    Object.entries(now).flatMap(([name, own]): [string, readonly KeyRow[]][] => {
      const theirs = Object.entries(rows).flatMap(([entry, values]) => {
        const then = Object.hasOwn(before, entry) ? before[entry] : undefined;
        if (then === undefined || !isSameTable([name, own], [entry, then])) return [];
        const places = own.columns.map((column) => then.columns.indexOf(column));
        return values.map((row) => places.map((place) => row[place] ?? null));
      });
      return theirs.length === 0 ? [] : [[name, theirs]];
    }),
  );
}

type Entry = readonly [string, TableLayout];

function isSameTable([name, now]: Entry, [entry, then]: Entry): boolean {
  return (then.table ?? entry) === (now.table ?? name) && isInSameSchema(then, now);
}
