import type {
  Configuration,
  DatabaseName,
  GeneratedCase,
  GeneratedRequest,
  Table,
} from '../generated-case.ts';
import { createDice, type Dice } from './dice.ts';
import { keepConstraints } from './keep-constraints.ts';
import { changeConfiguration, makeConfiguration } from './make-configuration.ts';
import {
  createRowMaker,
  type MadeRows,
  makeRows,
  PEOPLE,
  type Person,
  uidOf,
} from './make-data.ts';
import { makeSchema } from './make-schema.ts';
import { makeTries } from './make-tries.ts';
import type { Draft, Schema } from './schema-draft.ts';

/** The same numbers give the same case, on every machine. */
export function makeCase(seed: number, caseNo: number, database: DatabaseName): GeneratedCase {
  const dice = createDice(seed, caseNo);
  const schema = makeSchema(dice, database);
  const maker = createRowMaker(dice, schema);
  const made = makeRows(dice, database, schema, maker);
  const wanted = choosePeople(dice, schema, made);
  const configurations: [Configuration, ...Configuration[]] = [makeConfiguration(dice, schema)];
  while (dice.chance(0.2)) {
    configurations.push(
      changeConfiguration(dice, schema, configurations.at(-1) ?? configurations[0]),
    );
  }
  const tables = schema.tables.map(toTable);
  const rows = Object.fromEntries(
    Object.entries(made).map(([table, ofTable]) => [table, ofTable.map(({ row }) => row)]),
  );
  return {
    database,
    tables,
    rows: keepConstraints(database, tables, rows),
    configurations,
    requests: wanted.map((person) => makeRequest(dice, schema, person, configurations[0])),
    tries: makeTries(dice, database, schema, made, maker, configurations, wanted),
  };
}

/** Whom the requests are about: mostly somebody who is there, sometimes two, or one of them twice. */
function choosePeople(dice: Dice, { tables, tenants }: Schema, rows: MadeRows): Person[] {
  const isOne = tenants.way === 'controller';
  const people = isOne ? PEOPLE.filter(({ controllerId }) => controllerId === 'acme') : PEOPLE;
  const there = (rows[tables[0]?.name ?? ''] ?? [])
    .map(({ person }) => person)
    .filter((person) => people.includes(person));
  // Mostly one with rows in several tables.
  const everywhere = Object.values(rows)
    .flat()
    .map(({ person }) => person)
    .filter((person) => there.includes(person));
  const first = dice.one(there.length > 0 && dice.chance(0.95) ? everywhere : people);
  if (!dice.chance(0.3)) return [first];
  return [first, dice.chance(0.4) ? first : dice.one(people)];
}

function makeRequest(
  dice: Dice,
  schema: Schema,
  person: Person,
  { resolve }: Configuration,
): GeneratedRequest {
  const { controllerId } = person;
  const email = { type: 'email', value: person.email } as const;
  const isCapital = dice.chance(0.4);
  const numbers = new Set(
    schema.tables
      .flatMap((table) => numberIn(table, person))
      .map((value) => (isCapital && value.length === 36 ? value.toUpperCase() : value)),
  );
  const no = [...numbers].map((value) => ({ type: 'controller_customer_id', value }) as const);
  const isWritten = dice.chance(0.15);
  const written = isWritten ? { ...email, value: email.value.toUpperCase() } : email;
  const hasNumber = no.length > 0 && dice.chance(0.75);
  if (hasNumber && dice.chance(0.1)) return { controllerId, identities: no };
  // What is looked up is mostly not given.
  if (resolve !== null && dice.chance(0.7)) {
    const isByNumber = resolve.from.type !== 'email' && no.length > 0;
    return { controllerId, identities: isByNumber ? no : [written] };
  }
  return { controllerId, identities: [written, ...(hasNumber ? no : [])] };
}

function numberIn({ number, columns }: Draft, person: Person): string[] {
  const { no } = person;
  if (number === 'uid') return [String(uidOf(person))];
  switch (columns.find(({ name }) => name === number)?.type) {
    case undefined:
      return [];
    case 'text':
    case 'folded':
      return [`c${no}`];
    case 'uuid':
      return [`a0b1c2d3-0000-4000-8000-00000000000${no + 1}`];
    default:
      return [String(no)];
  }
}

const toTable = ({ name, columns, primaryKey, unique, references, triggers }: Draft): Table => ({
  name,
  columns,
  primaryKey,
  unique,
  references,
  triggers,
});
