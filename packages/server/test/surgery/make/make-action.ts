// What becomes of a table's rows: mostly deleted, now and then overwritten or retained.

import type { Column, DeclaredTable, Overwritten } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import { writePath } from '../write-configuration.ts';
import type { Dice } from './dice.ts';
import type { Draft, Schema } from './schema-draft.ts';

const UNIQUE = 'erased-{random}@example.invalid';

export function actionOf(dice: Dice, schema: Schema, table: Draft): DeclaredTable['action'] {
  const often = schema.isPlain ? 0.4 : 1;
  if (dice.chance(0.08 * often)) return 'retain';
  if (!dice.chance(chanceOfOverwriting(table) * often)) return 'delete';
  const body = dice.one<Overwritten>([null, 'erased', { hash: true }]);
  if (knows('overwrite')) return { overwrite: { body, ...others(dice, schema, table) } };
  const { columns, emails } = table;
  const free = emails.filter((name) => !isInIndex(table, name) && isThere(columns, name));
  const emptied = free.filter(() => dice.chance(0.5));
  return { overwrite: { body, ...Object.fromEntries(emptied.map((name) => [name, null])) } };
}

/** Greater where it is harder. */
function chanceOfOverwriting(table: Draft): number {
  if (!knows('overwrite')) return 0.15;
  return table.emails.some((name) => isInIndex(table, name)) ? 0.5 : 0.25;
}

const isInIndex = ({ unique }: Draft, name: string) =>
  unique.some(({ columns }) => columns.includes(name));

const isThere = (columns: readonly Column[], name: string) =>
  columns.some((column) => column.name === name && !column.notNull);

function others(dice: Dice, schema: Schema, table: Draft): Record<string, Overwritten> {
  const isReferredTo = (name: string) =>
    schema.tables.some(({ references }) =>
      references.some(
        ({ parent, pairs }) => parent === table.name && pairs.some((pair) => pair.parent === name),
      ),
    );
  const isKey = (name: string) => table.primaryKey.includes(name);
  return Object.fromEntries(
    table.columns
      .filter(({ name }) => !isReferredTo(name) && !isKey(name))
      .filter(({ name }) => dice.chance(isInIndex(table, name) ? 0.8 : 0.5))
      .flatMap((column): [string, Overwritten][] => {
        const value = valueFor(dice, table, column);
        return value === undefined ? [] : [[column.name, value]];
      }),
  );
}

/** undefined: the column is not about a person, or cannot be told what to hold. */
function valueFor(dice: Dice, table: Draft, { name, type }: Column): Overwritten | undefined {
  const isText = type === 'text' || type === 'folded';
  if (table.emails.includes(name) || (name === table.number && isText)) {
    const values: Overwritten[] = [null, { hash: true }, { unique: UNIQUE }, { unique: UNIQUE }];
    // The same value for everybody: refused where it has to be unique.
    const isFree = !isInIndex(table, name) || dice.chance(0.05);
    return dice.one(isFree ? [...values, 'erased@x.invalid'] : values);
  }
  if (name === table.number) return null;
  if (type === 'time') return { now: true };
  if (type === 'float') return dice.one([0.1, 0, null]);
  if (type !== 'json') return undefined;
  const keys = table.document?.path ?? [];
  const path = writePath(keys);
  // What is taken out of a list gives its place to the next: refused.
  const isInList = /^\d+$/.test(keys.at(-1) ?? '');
  const value = isInList ? null : dice.one([null, 'erased', { remove: true }] as const);
  return { json: { [path]: value, ...(dice.chance(0.5) && { '$.name': null }) } };
}
