// Rows of two tenants that share values, of people who share rows, and of look-alikes.

import type { ColumnType, DatabaseName, Row } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import { isNumber } from '../judge/compare-values.ts';
import type { Dice } from './dice.ts';
import { keepUnique } from './keep-constraints.ts';
import { type Draft, PROPERTY, type Schema } from './schema-draft.ts';

export interface Person {
  readonly controllerId: 'acme' | 'globex';
  readonly email: string;
  /** Of the same person in every table; both tenants count from one. */
  readonly no: number;
}

export interface MadeRow {
  readonly row: Row;
  readonly person: Person;
}

export type MadeRows = Readonly<Record<string, readonly MadeRow[]>>;

const EMAILS = ['jane@x.org', 'joe@x.org', 'ann@x.org'] as const;
const UUIDS = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((no) => `a0b1c2d3-0000-4000-8000-00000000000${no}`);

const KEYS = ['id', 'code', 'slug'];

/** Another for each person, whatever the tenant. */
export const uidOf = ({ controllerId, no }: Person) =>
  controllerId === 'acme' ? no : no + EMAILS.length;

const isOfProperty = (name: string) =>
  name === PROPERTY.column || name === 'value' || name === 'uid';

export const PEOPLE: readonly Person[] = (['acme', 'globex'] as const).flatMap((controllerId) =>
  EMAILS.map((email, index) => ({ controllerId, email, no: index + 1 })),
);

/** Counts rows over the whole case, so that a `rid` is never used again. */
export interface RowMaker {
  make(table: Draft, person: Person, rows: MadeRows): MadeRow;
}

export function createRowMaker(dice: Dice, schema: Schema): RowMaker {
  let made = 0;
  const numbers = new Map<string, number>();
  const doesShare = dice.chance(schema.tables.some(({ isShared }) => isShared) ? 0.8 : 0.25);
  const often = schema.isPlain ? 0.5 : 1;
  const hasLookAlikes = dice.chance(0.3 * often);
  const hasNulls = dice.chance(0.4 * often);
  const isMisspelt = dice.chance(0.4 * often);
  const hasBlanks = knows('match') && dice.chance(0.3 * often);

  function lookAlike(value: string): string {
    return dice.one([
      value.toUpperCase(),
      `${value} `,
      value.replace('e', 'é'),
      `0${value}`,
      `${value.slice(0, -1)}%`,
    ]);
  }

  function identityValue(type: ColumnType, value: string): string | null {
    if (hasNulls && dice.chance(0.15)) return null;
    const isText = type === 'text' || type === 'folded';
    if (isText && hasBlanks && dice.chance(0.4))
      return dice.one([` ${value}`, `${value} `, `  ${value}  `]);
    return isText && hasLookAlikes && dice.chance(0.25) ? lookAlike(value) : value;
  }

  /** The number `no` as a column of this type would hold it. */
  function asValue(type: ColumnType, no: number): string {
    if (isNumber(type)) return String(no);
    return type === 'uuid' ? (UUIDS[no % UUIDS.length] ?? '') : `c${no}`;
  }

  /** A value of the parent's, written as the child's type allows. */
  function spell(type: ColumnType, value: string): string {
    if (isNumber(type)) return /^\d+$/.test(value) ? value : '7';
    if (!isMisspelt || type === 'uuid' || !dice.chance(0.3)) return value;
    if (/^\d+$/.test(value)) return dice.one([`0${value}`, ` ${value}`, `${value}.0`, `${value}x`]);
    return value.toUpperCase();
  }

  function refer(
    table: Draft,
    person: Person,
    rows: MadeRows,
    values: Record<string, string | null>,
  ) {
    const kind = chooseKind(table);
    if (kind !== undefined) values[kind.column] = kind.value;
    for (const [at, { parent, pairs, onlyWhere }] of table.references.entries()) {
      if (onlyWhere !== undefined && onlyWhere.value !== kind?.value) continue;
      const all = rows[parent] ?? [];
      const own = all.filter((one) => one.person === person);
      const isShared = doesShare && dice.chance(table.isShared && at > 0 ? 0.45 : 0.2);
      const near = all.filter(
        (one) =>
          one.person.controllerId === person.controllerId &&
          (one.person !== person || !table.isShared),
      );
      // Mostly of the same tenant: what is tied to another is held, whatever else is wrong with it.
      const others = near.length > 0 && dice.chance(0.8) ? near : all;
      const target = isShared || own.length === 0 ? others : own;
      // The second of several is often not there.
      const isNull = target.length === 0 || dice.chance(at > 0 ? 0.25 : hasNulls ? 0.12 : 0);
      const above = isNull ? undefined : dice.one(target).row;
      const isDangling = hasNulls && dice.chance(0.06);
      for (const pair of pairs) {
        if (values[pair.child] !== undefined && pair.child === table.tenantColumn) continue;
        const type = table.columns.find(({ name }) => name === pair.child)?.type ?? 'text';
        const value = above?.[pair.parent] ?? null;
        if (value === null) values[pair.child] = null;
        else values[pair.child] = isDangling ? asValue(type, 8) : spell(type, value);
      }
    }
  }

  /** To what the row belongs: mostly one of the tables that the schema knows. */
  function chooseKind({ references, columns }: Draft) {
    const kinds = references.flatMap(({ onlyWhere }) => onlyWhere ?? []);
    const [first] = kinds;
    if (first === undefined) return undefined;
    const { column, value } = dice.one(kinds);
    if (hasNulls && dice.chance(0.1)) return { column, value: null };
    const type = columns.find(({ name }) => name === column)?.type;
    if (dice.chance(0.1)) return { column, value: type === 'integer' ? '9' : 'Other' };
    // Whatever the collation says, this is another kind.
    if (isMisspelt && dice.chance(0.1)) return { column, value: value.toUpperCase() };
    return { column, value };
  }

  /** A document with the email somewhere in it, beside other things. */
  function document(path: readonly string[], email: string | null): string {
    const [key = '', ...rest] = path;
    const isMissing = email === null && dice.chance(0.5);
    const [next] = rest;
    const others = { name: `name ${made}`, note: { kept: true } };
    if (next === undefined) return JSON.stringify(isMissing ? others : { ...others, [key]: email });
    if (next === '*') {
      const [, ...inItem] = rest;
      const all = [...(email === null ? [] : [email]), ...(isElse() ? [dice.one(EMAILS)] : [])];
      return JSON.stringify({
        ...others,
        [key]: all.map((one) =>
          inItem.reduceRight<unknown>((value, name) => ({ [name]: value }), one),
        ),
      });
    }
    const inner = next === '0' ? [email ?? 'none', 'x'] : { ...others, [next]: email };
    return JSON.stringify({ ...others, [key]: isMissing ? null : inner });
  }

  function fill(table: Draft, person: Person, values: Record<string, string | null>, no: number) {
    for (const { name, type, notNull } of table.columns) {
      if (values[name] !== undefined && (values[name] !== null || !notNull)) continue;
      if (table.properties !== undefined && isOfProperty(name)) {
        values[name] = propertyValue(name, values, person);
      } else if (name === 'uid') values[name] = String(uidOf(person));
      else if (table.emails.includes(name)) {
        const isOther = name !== table.emails[0] && !dice.chance(0.4);
        values[name] = isOther ? null : identityValue(type, person.email);
        if (isOther && doesShare && dice.chance(0.4)) values[name] = dice.one(EMAILS);
      } else if (type === 'json') {
        const email = identityValue('text', person.email);
        const isNone = hasNulls && dice.chance(0.1);
        values[name] = isNone ? null : document(table.document?.path ?? [], email);
      } else if (type === 'time') values[name] = dice.chance(0.5) ? null : '2001-02-03 04:05:06';
      else if (type === 'float') values[name] = '2.5';
      else if (name === table.number) values[name] = identityValue(type, asValue(type, person.no));
      else if (name === 'body') values[name] = `body ${no}`;
      else if (name === 'n')
        values[name] = knows('where') && hasNulls && dice.chance(0.1) ? null : String(dice.upTo(2));
      else if (name === 'group_no') values[name] = String(groupOf(person));
      else if (name.endsWith('_no') && type === 'integer')
        values[name] =
          hasNulls && dice.chance(0.1)
            ? null
            : String(groupOf(isElse() ? another(person) : person));
      else if (name === 'serial')
        values[name] = String(8 - (nextNumber(`${table.name} serial`) % 40));
      else if (KEYS.includes(name)) values[name] = asValue(type, nextNumber(table.name));
      else values[name] = asValue(type, 1 + dice.upTo(2));
    }
  }

  /** Keys count from one in every table, so that a value means something in each of them. */
  function nextNumber(table: string): number {
    const next = (numbers.get(table) ?? 0) + 1;
    numbers.set(table, next);
    return next;
  }

  /** A household of a person, or a file: two for each. */
  const groupOf = (person: Person) => 2 * uidOf(person) - (dice.chance(0.15) ? 1 : 0);
  const isElse = () => doesShare && dice.chance(schema.isPlain ? 0.1 : 0.2);
  const another = (person: Person) =>
    dice.one(PEOPLE.filter((one) => one.controllerId === person.controllerId || dice.chance(0.1)));

  /** Rows of all kinds have a value; of other kinds it may be the email of somebody else. */
  function propertyValue(
    name: string,
    values: Readonly<Record<string, string | null>>,
    person: Person,
  ): string | null {
    const { column, email, others } = PROPERTY;
    if (name === column) {
      if (hasNulls && dice.chance(0.08)) return null;
      if (isMisspelt && dice.chance(0.1)) return email.toUpperCase();
      return dice.one([email, email, ...others]);
    }
    if (name === 'uid') return String(uidOf(isElse() ? another(person) : person));
    if (values[column] === email) return identityValue('text', person.email);
    return dice.chance(0.2) ? dice.one(EMAILS) : `value ${made}`;
  }

  return {
    make(table, person, rows) {
      made += 1;
      const values: Record<string, string | null> = { rid: String(made) };
      if (table.tenantColumn !== undefined) values[table.tenantColumn] = tenantOf(table, person);
      refer(table, person, rows, values);
      fill(table, person, values, made);
      return { row: values, person };
    },
  };

  function tenantOf(table: Draft, { controllerId, no }: Person): string | null {
    const { isRoot } = table;
    const { type, values } = schema.tenants;
    // A row of no tenant is harder to tell where what it refers to is of all of them.
    const isOfAll = schema.tables.some(({ isOfAllTenants }) => isOfAllTenants);
    if (isOfAll ? !isRoot && dice.chance(0.08) : hasNulls && dice.chance(0.045)) return null;
    // What it refers to has it then.
    if (table.references.some(({ isTenant }) => isTenant) && dice.chance(0.6)) return null;
    const own = [values[controllerId] ?? []].flat();
    // Mostly all rows of a person are of one of them.
    const at = own.length > 1 ? no + (dice.chance(0.15) ? 1 : 0) : 0;
    const value = own[at % own.length] ?? null;
    const isText = type === 'text' || type === 'folded';
    if (hasLookAlikes && isText && dice.chance(0.05)) return value?.toUpperCase() ?? null;
    return value;
  }
}

export function makeRows(
  dice: Dice,
  database: DatabaseName,
  schema: Schema,
  maker: RowMaker,
): MadeRows {
  const rows: Record<string, MadeRow[]> = {};
  const isNarrow = schema.tables.some(({ isShared }) => isShared);
  const people = dice.chance(isNarrow ? 0.9 : 0.6) ? choosePeople(dice, isNarrow) : PEOPLE;
  for (const table of schema.tables) {
    const ofTable: MadeRow[] = [];
    rows[table.name] = ofTable;
    const isFull = table.isShared || table.columns.some(({ name }) => name === 'group_no');
    const min = table.isRoot ? 2 : isFull ? 4 : 0;
    const max = table.isShared ? 10 : 7;
    for (let left = min + dice.upTo(max - min); left > 0; left -= 1) {
      ofTable.push(maker.make(table, dice.one(people), rows));
    }
    // At once: what others refer to must be there.
    const all = ofTable.map(({ row }) => row);
    const kept = new Set(keepUnique(database, schema.tables, table, all));
    rows[table.name] = ofTable.filter(({ row }) => kept.has(row));
  }
  return rows;
}

/** Few, so that each has several rows in a table: mostly two of one tenant, and one of the other. */
function choosePeople(dice: Dice, isNarrow: boolean): readonly Person[] {
  const first = dice.one(PEOPLE);
  const near = PEOPLE.filter((one) => one.controllerId === first.controllerId && one !== first);
  const far = PEOPLE.filter((one) => one.controllerId !== first.controllerId);
  const few = [first, first, dice.one(near)];
  return dice.chance(isNarrow ? 0.2 : 0.6) ? [...few, dice.one(far)] : few;
}
