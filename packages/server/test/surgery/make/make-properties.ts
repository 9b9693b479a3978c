// A table of properties: the entry with the email, which leads to the user, and the entry with the others.
import type { DeclaredTable } from '../generated-case.ts';
import type { Dice } from './dice.ts';
import { actionOf } from './make-action.ts';
import { type Draft, PROPERTY, type Schema } from './schema-draft.ts';

const { column, email, others } = PROPERTY;

export function emailProperty(dice: Dice, whole: DeclaredTable): DeclaredTable {
  const { controller_customer_id: number, ...match } = whole.match;
  return {
    ...whole,
    via: [],
    where: { [column]: { values: [email], isNot: false } },
    match: number !== undefined && dice.chance(0.7) ? whole.match : match,
  };
}

/** After the table whose properties they are. */
export function otherProperties(
  dice: Dice,
  schema: Schema,
  table: Draft,
  earlier: readonly DeclaredTable[],
): DeclaredTable[] {
  const { properties } = table;
  const first = earlier.find((one) => one.table === table.name);
  const isDeclared = earlier.some((one) => one.table === properties?.of);
  if (properties === undefined || first === undefined || !isDeclared) return [];
  const rest = dice.chance(0.7)
    ? { values: [email], isNot: true }
    : { values: others.slice(0, 1 + dice.upTo(1)), isNot: false };
  const { child, parent } = properties.owner;
  return [
    {
      ...first,
      match: {},
      where: { [column]: rest },
      via: [{ parent: properties.of, pairs: [{ child: parent, parent: child }] }],
      action: dice.chance(0.8) ? 'delete' : actionOf(dice, schema, table),
    },
  ];
}
