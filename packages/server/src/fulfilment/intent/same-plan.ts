// Whether an earlier intent has the same address, rows and columns as the present plan.

import { byName } from '../../domain/by-name.ts';
import type { Found, Keys } from '../../domain/target/connector.ts';
import {
  isInSameSchema,
  isSearchedElsewhere,
  type KeyLayout,
} from '../../domain/target/row-layout.ts';
import type { OpenedIntent } from './intents.ts';

/** Whether place, tables and key columns are the same. */
export function isSamePlan(
  intent: OpenedIntent,
  plan: string,
  found: Pick<Found, 'layout' | 'schemas'>,
): boolean {
  if (intent.plan !== '' && intent.plan !== plan) return false;
  if (isSearchedElsewhere(intent, found)) return false;
  if (intent.layout === undefined || found.layout === undefined) return true;
  const { layout } = intent;
  return (
    textOf(layout) === textOf(found.layout) &&
    Object.entries(found.layout).every(([table, own]) => isInSameSchema(layout[table], own))
  );
}

/** Leaves out the time that rows get, which differs in every attempt, and fields that older intents lack. */
function textOf(layout: KeyLayout): string {
  return JSON.stringify(
    Object.entries(layout).map(([table, { time: _, isCascaded: __, schema: ___, ...columns }]) => [
      table,
      columns,
    ]),
  );
}

export function isSamePlace(intent: Pick<OpenedIntent, 'plan' | 'voided'>, plan: string): boolean {
  const placeOf = (digest: string) => digest.split('-')[0];
  const { plan: own, voided: made = own } = intent;
  return made === '' || placeOf(made) === placeOf(plan);
}

/** The rows of an intent in tables whose key columns have not changed since. */
export function rowsOfSameColumns(rows: Keys, before?: KeyLayout, now?: KeyLayout): Keys {
  if (before === undefined || now === undefined) return rows;
  const columnsIn = (layout: KeyLayout, table: string) => {
    const { columns, keySize } = layout[table] ?? {};
    return JSON.stringify([columns, keySize]);
  };
  return byName(
    Object.entries(rows).filter(
      ([table]) =>
        columnsIn(before, table) === columnsIn(now, table) &&
        isInSameSchema(before[table], now[table]),
    ),
  );
}
