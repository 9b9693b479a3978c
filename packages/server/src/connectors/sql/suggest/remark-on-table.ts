// Says why a table is not in the plan, if that is certain.
import type { Catalogue } from '../catalogue.ts';
import { type ColumnSigns, looksPersonal, signsOf } from '../personal/column-signs.ts';
import { isNamedAfter, wordsOf } from '../personal/name-words.ts';
import { isOrganisationTable, isPeopleTable, isThingTable } from '../personal/table-signs.ts';
import { findPairs } from './find-pairs.ts';
import { type FoundReference, namesIn } from './find-references.ts';
import type { TenantColumn } from './find-tenant-column.ts';
import type { TableWays } from './find-ways.ts';
import { type PeopleTable, remarkContents, remarkPair } from './remarks.ts';
import type { Doubt, Question, TableRemark } from './suggested-plan.ts';
import { writeMap, writeScalar } from './write-yaml.ts';

interface Known {
  readonly catalogue: Catalogue;
  readonly references: readonly FoundReference[];
  readonly people: readonly PeopleTable[];
  readonly tenant: TenantColumn | undefined;
  readonly ways: ReadonlyMap<string, TableWays>;
}

/** A table that is not in the plan. */
export interface LeftOutTable {
  readonly why: TableRemark;
  /** It may well contain personal data. */
  readonly isPersonal: boolean;
  readonly questions: readonly Question[];
}

export function remarkOn(table: string, known: Known): LeftOutTable {
  const { catalogue, people } = known;
  const shape = catalogue.get(table);
  if (shape === undefined || shape.columns.size === 0)
    return {
      why: { table, text: 'the account cannot see its columns' },
      isPersonal: true,
      questions: [],
    };
  const signs = signsOf(shape);
  const isPersonal = looksPersonal(signs);
  const contents = isPersonal ? [] : remarkContents(signs);
  const about = (kind: Question['kind'], doubts: readonly Doubt[]): Question[] =>
    doubts.map(({ text, ...rest }) => ({ ...rest, kind, text: `${table}: ${text}` }));
  const text = isPersonal
    ? whyNot(table, signs, known)
    : [`no column looks like personal data, ${whyNoOwner(table, known)}`, ...contents].join('; ');
  return {
    why: { table, text },
    isPersonal,
    questions: [
      ...about('outliving', [
        ...remarkOutliving(table, known),
        ...remarkParts(table, known),
        ...remarkBelowShared(table, known),
      ]),
      ...about(
        'pair',
        findPairs(shape, catalogue).map((pair) => remarkPair(pair, people)),
      ),
    ],
  };
}

function whyNot(table: string, signs: ColumnSigns, known: Known): string {
  const { references, tenant, ways } = known;
  const has = `has ${[...signs.emails, ...signs.strong, ...signs.weak].join(', ')}`;
  const isTenants = references.some(
    ({ parent, columns }) => parent === table && Object.keys(columns).join() === tenant?.column,
  );
  if (isTenants || isOrganisationTable(table))
    return `${has}, but seems to be an organisation: everything below it would go with it`;
  if (isThingTable(table))
    return `${has}, but seems to be a thing, not a person: everything below it would go with it`;
  const referring = references.filter((it) => it.parent === table && ways.has(it.table));
  if (referring.length > 0)
    return `${has}; that rows of ${[...new Set(referring.map((it) => it.table))].join(', ')} refer to it does not make it a person's`;
  const outside = outsideOf(table, known);
  return outside.length === 0
    ? `${has}, but no way from an identity to its rows was found`
    : `${has}, but is found by no identity; it refers to ${outside.join(' and ')}, not in the plan`;
}

/** References whose foreign key says that the row stays without them. */
function remarkOutliving(table: string, { references, ways }: Known): Doubt[] {
  return references
    .filter((it) => it.table === table && it.sense === 'outlives' && ways.has(it.parent))
    .map((it) => ({
      text: `${namesIn(it)} refers to ${it.parent}, and its foreign key lets the row stay without it (ON DELETE SET NULL). If the rows are the person's:`,
      example: entryOf(table, it.parent, Object.entries(it.columns)),
    }));
}

/** An order by its order_customer: a part of it names the person. */
function remarkParts(table: string, { references, ways }: Known): Doubt[] {
  return references
    .filter(
      (it) =>
        it.parent === table &&
        it.foreignKey !== null &&
        isPeopleTable(it.table) &&
        isNamedAfter(it.table, table) &&
        (ways.get(it.table)?.emails.length ?? 0) > 0,
    )
    .map((it) => ({
      text: `rows of ${it.table} name a person, and refer to it by ${namesIn(it)}. If they make it the person's:`,
      example: [
        ...entryOf(
          table,
          it.table,
          Object.entries(it.columns).map(([from, to]): [string, string] => [to, from]),
        ),
        '  shared: hold',
      ],
    }));
}

/** Rows below rows that found rows refer to; they may belong to several people. */
function remarkBelowShared(table: string, { references, ways }: Known): Doubt[] {
  return references
    .filter(
      (it) =>
        it.table === table && it.sense === 'owned' && (ways.get(it.parent)?.upward.length ?? 0) > 0,
    )
    .map((it) => ({
      text: `${namesIn(it)} refers to ${it.parent}, whose rows may be several people's. If the rows go with them:`,
      example: entryOf(table, it.parent, Object.entries(it.columns)),
    }));
}

function entryOf(
  table: string,
  parent: string,
  columns: readonly (readonly [string, string])[],
): string[] {
  const reference = writeMap(columns.map(([from, to]) => [from, writeScalar(to)]));
  return [`- table: ${writeScalar(table)}`, `  via: ${writeMap([[parent, reference]])}`];
}

function whyNoOwner(table: string, known: Known): string {
  const { references, ways, catalogue } = known;
  const own = references.filter((it) => it.table === table && it.parent !== table);
  const acted = own.filter(({ sense, parent }) => sense === 'acted' && isPeopleTable(parent));
  if (acted.length > 0)
    return isOrganisationTable(table)
      ? `and it seems to be an organisation, for which ${acted.map(namesIn).join(', ')} names people`
      : `and ${acted.map(namesIn).join(', ')} says who acted, not whose a row is`;
  const inside = own.filter(({ parent }) => ways.has(parent));
  if (inside.length > 0)
    return `and that it refers to ${inside.map((it) => `${it.parent} by ${namesIn(it)}`).join(' and ')} does not say whose a row is`;
  const outside = outsideOf(table, known);
  if (outside.length > 0)
    return `and the tables that it seems to refer to are not in the plan: ${outside.join(', ')}`;
  const shape = catalogue.get(table);
  const unknown = [...(shape?.columns.keys() ?? [])].filter(
    (column) => wordsOf(column).at(-1) === 'id' && shape?.primaryKey.join() !== column,
  );
  return unknown.length > 0
    ? `and ${unknown.join(', ')} could not be matched with one table`
    : 'and no column of it was recognised as a reference to another table';
}

function outsideOf(table: string, { references, ways }: Known): string[] {
  return references
    .filter((it) => it.table === table && it.parent !== table && !ways.has(it.parent))
    .map((it) => `${it.parent} by ${namesIn(it)}`);
}
