// The rows of the people of a case, with what was done to others before.
import type { Row } from '../../generated-case.ts';
import type { Dice } from '../../make/dice.ts';
import type { Person } from '../../make/make-data.ts';
import type { PlacedTable } from '../several-case.ts';
import { type Plan, TENANT } from './make-tables.ts';
import { NUMBER_PLACEHOLDER, PLACEHOLDER } from './make-targets.ts';

export interface Maker {
  make(table: PlacedTable, person: Person, rows: Readonly<Record<string, readonly Row[]>>): Row;
  /** A number that is nobody's yet. */
  fresh(): string;
}

export function createMaker(
  dice: Dice,
  { isChained, isUsed }: Plan,
  people: readonly Person[],
): Maker {
  let rid = 0;
  let fresh = 20;
  const hasNulls = dice.chance(0.3);
  const isMixed = dice.chance(0.3);
  const other = () => dice.one(people);
  const someone = (person: Person) => (isMixed && dice.chance(0.15) ? other() : person);

  function valueFor(
    table: PlacedTable,
    column: string,
    person: Person,
    rows: Readonly<Record<string, readonly Row[]>>,
  ): string | null {
    switch (column) {
      case 'id':
        return String(rid);
      case TENANT:
        return person.controllerId;
      case 'n':
        return String(dice.upTo(2));
      case 'body':
        return `body ${rid}`;
      case 'email':
      case 'other_email': {
        if (hasNulls && dice.chance(0.12)) return null;
        const { email } = someone(person);
        const isErased = dice.chance(isUsed ? 0.4 : 0.04);
        if (column === 'email' && table.unique.length === 0 && isErased) return PLACEHOLDER;
        if (column === 'other_email') return dice.chance(0.6) ? `private-${email}` : email;
        // What only the second lookup gives; in the first, it may lead back to the number that it was looked up by.
        if (isChained && dice.chance(0.4)) return `private-${email}`;
        return dice.chance(0.08) ? email.toUpperCase() : email;
      }
      case 'no':
      case 'customer':
        if (isUsed && table.unique.length === 0 && dice.chance(0.4))
          return String(NUMBER_PLACEHOLDER);
        return hasNulls && dice.chance(0.12) ? null : String(someone(person).no);
      default: {
        const parent = table.references.find(({ pairs }) => pairs[0]?.child === column)?.parent;
        const all = rows[parent ?? ''] ?? [];
        const own = all.filter(
          (row) => (row[TENANT] ?? person.controllerId) === person.controllerId,
        );
        return own.length === 0 ? null : (dice.one(own).id ?? null);
      }
    }
  }

  return {
    make(table, person, rows) {
      rid += 1;
      const values = table.columns.map(({ name }) => [name, valueFor(table, name, person, rows)]);
      return { rid: String(rid), ...Object.fromEntries(values) };
    },
    fresh: () => String(++fresh),
  };
}
