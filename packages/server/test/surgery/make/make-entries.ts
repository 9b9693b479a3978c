// What an operator might declare for one table: one entry, or several with a `where` each.

import type { DeclaredTable, MatchedColumn, Via, WhereValue } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import { isNumber } from '../judge/compare-values.ts';
import type { Dice } from './dice.ts';
import { actionOf } from './make-action.ts';
import { emailProperty } from './make-properties.ts';
import type { Draft, Schema } from './schema-draft.ts';

export function declareTable(
  dice: Dice,
  schema: Schema,
  table: Draft,
  earlier: readonly DeclaredTable[],
): DeclaredTable[] {
  const known = table.references.filter(
    ({ isAside, isTenant, parent }) =>
      !isAside && !(isTenant && dice.chance(0.3)) && earlier.some((one) => one.table === parent),
  );
  const via = known
    .filter((_, index) => index === 0 || dice.chance(0.85))
    .map(({ parent, pairs }) => meantOf(dice, schema, { parent, pairs }, earlier));
  const match = matchOf(dice, table);
  if (Object.keys(match).length === 0 && via.length === 0) return [];
  const whole: DeclaredTable = {
    table: table.name,
    where: {},
    key: keyOf(dice, table),
    match,
    via,
    action: actionOf(dice, schema, table),
    shared: sharedOf(dice, table),
    whenUnmatched: dice.chance(0.6) ? 'skip' : 'hold',
    tenantColumn: table.tenantColumn === 'owner' && dice.chance(0.97) ? 'owner' : null,
    tenantBy: tenantByOf(table),
    isOfAllTenants: false,
  };
  if (table.properties !== undefined) return [emailProperty(dice, whole)];
  if (table.isOfAllTenants && dice.chance(0.97)) {
    return [{ ...whole, action: 'retain', tenantColumn: null, tenantBy: [], isOfAllTenants: true }];
  }
  if (known.some(({ onlyWhere }) => onlyWhere !== undefined)) {
    return dice.chance(0.9) ? byKind(dice, schema, table, whole, known) : [whole];
  }
  return knows('where') && dice.chance(0.12) ? byNumber(dice, schema, table, whole) : [whole];
}

export const tenantByOf = ({ references }: Draft): Via[] =>
  references.flatMap(({ isTenant, parent, pairs }) => (isTenant ? [{ parent, pairs }] : []));

/** Of a parent that is listed several times, mostly rows of all its entries. */
function meantOf(dice: Dice, schema: Schema, via: Via, earlier: readonly DeclaredTable[]): Via {
  const parent = schema.tables.find(({ name }) => name === via.parent);
  const entries = earlier.filter(({ table }) => table === via.parent);
  const isNamed = parent?.properties === undefined ? entries.length > 1 && dice.chance(0.45) : true;
  return isNamed && dice.chance(0.97) ? { ...via, where: dice.one(entries).where } : via;
}

/** An entry for each table that rows refer to, or one for two of them. */
function byKind(
  dice: Dice,
  schema: Schema,
  table: Draft,
  whole: DeclaredTable,
  known: Draft['references'],
): DeclaredTable[] {
  const kinds = known.flatMap(({ parent, pairs, onlyWhere }) =>
    onlyWhere === undefined ? [] : [{ via: { parent, pairs }, ...onlyWhere }],
  );
  const [first] = kinds;
  if (first === undefined) return [whole];
  const type = table.columns.find(({ name }) => name === first.column)?.type ?? 'text';
  const asWhere = (value: string): WhereValue => (isNumber(type) ? Number(value) : value);
  if (kinds.length > 1 && dice.chance(0.1)) {
    const values = kinds.map(({ value }) => asWhere(value));
    return [
      { ...whole, where: { [first.column]: oneOf(values) }, via: kinds.map((kind) => kind.via) },
    ];
  }
  return kinds
    .filter((_, index) => index === 0 || dice.chance(0.85))
    .map(({ via, value }, index) => ({
      ...(index === 0 ? whole : differently(dice, schema, table, whole)),
      where: { [first.column]: oneOf([asWhere(value)]) },
      via: [via],
    }));
}

/** Some of the rows, or all of them but each part in its own way. */
function byNumber(dice: Dice, schema: Schema, table: Draft, whole: DeclaredTable): DeclaredTable[] {
  const [here, there] = dice.one([
    [oneOf([0]), oneOf([1, 2])],
    [oneOf([0, 1]), oneOf([2])],
    [oneOf([0, null]), oneOf([1])],
    [oneOf([null]), oneOf([0, 1, 2])],
    [oneOf([0]), noneOf([0])],
    [noneOf([0, 1]), oneOf([1])],
    [noneOf([null]), oneOf([null])],
  ] as const);
  const first = { ...whole, where: { n: here } };
  if (dice.chance(0.4)) return [first];
  return [first, { ...differently(dice, schema, table, whole), where: { n: there } }];
}

const oneOf = (values: readonly WhereValue[]) => ({ values, isNot: false });
const noneOf = (values: readonly WhereValue[]) => ({ values, isNot: true });

const differently = (dice: Dice, schema: Schema, table: Draft, whole: DeclaredTable) => ({
  ...whole,
  action: dice.chance(0.6) ? whole.action : actionOf(dice, schema, table),
  shared: sharedOf(dice, table),
});

/** Rows that are kept and refer to others by a foreign key keep those from going: mostly refused. */
export function sharedOf(dice: Dice, { references, isShared }: Draft): DeclaredTable['shared'] {
  const isTied = references.some(({ onDelete }) => onDelete !== null);
  return dice.weighted([
    [isShared ? 1 : 4, 'hold'],
    [isShared ? 0.7 : 2, 'erase'],
    [(isTied ? 0.2 : 2) * (isShared ? 3 : 1), 'keep'],
  ] as const);
}

function matchOf(dice: Dice, table: Draft): DeclaredTable['match'] {
  const { emails, number, document, isRoot } = table;
  const columns = emails.filter((_, index) => index === 0 || dice.chance(0.8));
  const isNamed = emails.length > 0 || document !== undefined;
  const hasNumber = number !== undefined && (!isNamed || dice.chance(0.9));
  if (!isRoot && dice.chance(0.2)) return {};
  const matched = columns.map((column) => matchColumn(dice, table, column));
  if (document !== undefined && (matched.length === 0 || dice.chance(0.8))) {
    matched.push({ ...document, trim: dice.chance(0.25) });
  }
  return {
    ...(matched.length > 0 && { email: matched }),
    ...(hasNumber && { controller_customer_id: [matchColumn(dice, table, number)] }),
  };
}

function matchColumn(dice: Dice, { columns }: Draft, column: string): MatchedColumn {
  const type = columns.find(({ name }) => name === column)?.type;
  const isText = type === 'text' || type === 'folded';
  return { column, path: null, trim: knows('match') && isText && dice.chance(0.35) };
}

/** Given where there is no primary key, and sometimes in its place. */
function keyOf(dice: Dice, { primaryKey, unique, columns }: Draft): readonly string[] | null {
  const isNotNull = (name: string) => columns.some((one) => one.name === name && one.notNull);
  const keys = unique.filter((index) => index.kind === 'plain' && index.columns.every(isNotNull));
  const [other] = keys;
  if (other === undefined) return null;
  return dice.chance(primaryKey.length === 0 ? 0.97 : 0.3) ? other.columns : null;
}
