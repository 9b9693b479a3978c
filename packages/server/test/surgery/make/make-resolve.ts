// `resolve`: a table that gives one identity for another, with and without a `where`.
import type { Lookup, Where } from '../generated-case.ts';
import type { Dice } from './dice.ts';
import { type Draft, PROPERTY, type Schema } from './schema-draft.ts';

export function resolveOf(dice: Dice, { tables }: Schema): Lookup | null {
  const known = tables.filter((table) => endsOf(table).length > 1 && !table.isOfAllTenants);
  const isLikely = known.some(({ properties }) => properties !== undefined);
  if (known.length === 0 || !dice.chance(isLikely ? 0.4 : 0.12)) return null;
  const table = dice.one(known);
  const from = dice.one(endsOf(table));
  const to = dice.one(endsOf(table).filter(({ column }) => column !== from.column));
  return { table: table.name, where: whereOf(dice, table), from, to };
}

function endsOf({ emails, number, properties }: Draft): Lookup['from'][] {
  const no = properties === undefined ? number : 'uid';
  return [
    ...emails.map((column) => ({ type: 'email', column }) as const),
    ...(no === undefined ? [] : [{ type: 'controller_customer_id', column: no } as const]),
  ];
}

function whereOf(dice: Dice, { properties }: Draft): Where {
  if (properties !== undefined) {
    return dice.chance(0.85)
      ? { [PROPERTY.column]: { values: [PROPERTY.email], isNot: false } }
      : {};
  }
  return dice.chance(0.4)
    ? { n: { values: dice.one([[0], [0, 1], [1, null]]), isNot: false } }
    : {};
}
