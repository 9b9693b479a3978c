// A draft plan from the catalogue alone: a pure function that reads no row.
import type { Catalogue } from '../catalogue.ts';
import { tableWords, wordsOf } from '../personal/name-words.ts';
import { isPeopleTable } from '../personal/table-signs.ts';
import { chooseActions, isNullable, type SuggestedAction } from './choose-actions.ts';
import { findPairs } from './find-pairs.ts';
import { type FoundReference, findReferences, setsAnew } from './find-references.ts';
import { findTenantColumn, isTenantName } from './find-tenant-column.ts';
import { findWays, type TableWays } from './find-ways.ts';
import { orderTables } from './order-tables.ts';
import type { IsNumbered } from './references-by-name.ts';
import { remarkOn } from './remark-on-table.ts';
import type { PeopleTable } from './remarks.ts';
import { suggestTable } from './suggest-table.ts';
import type { SuggestedPlan, SuggestedResolve, SuggestedTable } from './suggested-plan.ts';
import { doubtWays } from './way-doubts.ts';
import { writeMap, writeScalar } from './write-yaml.ts';

const MAX_PEOPLE = 2;

export function suggestPlan(catalogue: Catalogue, isNumbered: IsNumbered): SuggestedPlan {
  const references = findReferences(catalogue, isNumbered);
  const tenant = findTenantColumn(catalogue, references);
  const ways = findWays(catalogue, references, tenant);
  const actions = chooseActions(ways, catalogue, references);
  const acted = actedReferences(references, ways, actions, catalogue);
  const depths = new Map([
    ...[...ways].map(([table, { depth }]): [string, number] => [table, depth]),
    ...acted.emptied.map(({ table }): [string, number] => [table, 1]),
  ]);
  const kept = [...actions].filter(([, { kind }]) => kind !== 'delete').map(([table]) => table);
  const { order, inCircle } = orderTables(depths, references, new Set(kept));
  const people = peopleIn([...ways.values()], catalogue);
  const doubts = doubtWays({ catalogue, references, ways });

  const tables = order.map((table): SuggestedTable => {
    const way = ways.get(table);
    const emptied = acted.emptied.find((it) => it.table === table);
    if (way === undefined && emptied !== undefined) return emptiedTable(emptied);
    if (way === undefined) throw new Error(`${table} has no way`);
    return suggestTable(way, {
      catalogue,
      tenant,
      people,
      wayDoubts: doubts.get(table) ?? { match: [], via: [] },
      action: actions.get(table) ?? { kind: 'delete' },
      isInCircle: inCircle.has(table),
      own: references.filter((it) => it.table === table && it.parent === table),
      leadingNowhere: leadingNowhere(way, catalogue, references),
    });
  });
  const left = [...catalogue.keys()].filter((table) => !depths.has(table));
  const remarks = left.map((table) =>
    remarkOn(table, { catalogue, references, people, tenant, ways }),
  );
  return {
    tenant,
    tables,
    detach: [
      ...new Set(
        acted.detached.flatMap(({ table, columns }) =>
          Object.keys(columns).map((column) => `${table}.${column}`),
        ),
      ),
    ],
    triggers: triggersOn(order, catalogue),
    resolve: resolveFrom([...ways.values()]),
    unclear: remarks.flatMap(({ unclear }) => unclear),
    others: remarks.flatMap(({ others }) => others),
  };
}

/**
 * References of other people's rows to rows that are deleted. The database sets some of them to NULL. A
 * reference that is the only one in its table can be overwritten by a separate entry.
 */
function actedReferences(
  references: readonly FoundReference[],
  ways: ReadonlyMap<string, TableWays>,
  actions: ReadonlyMap<string, SuggestedAction>,
  catalogue: Catalogue,
): { detached: readonly FoundReference[]; emptied: readonly FoundReference[] } {
  const loose = references.filter(
    (it) =>
      it.foreignKey !== null &&
      actions.get(it.parent)?.kind === 'delete' &&
      (it.sense !== 'owned' || it.table === it.parent || staysWithout(it, actions)) &&
      isNullable(it, catalogue),
  );
  const emptied = loose.filter(
    (it) =>
      !ways.has(it.table) &&
      !setsAnew(it) &&
      loose.filter(({ table }) => table === it.table).length === 1,
  );
  return { emptied, detached: loose.filter((it) => !emptied.includes(it)) };
}

/** Whether the reference is in a row that is kept or overwritten. */
function staysWithout(
  reference: FoundReference,
  actions: ReadonlyMap<string, SuggestedAction>,
): boolean {
  const kind = actions.get(reference.table)?.kind;
  return setsAnew(reference) && kind !== undefined && kind !== 'delete';
}

function emptiedTable({ table, parent, columns }: FoundReference): SuggestedTable {
  const names = Object.keys(columns);
  const reference = writeMap(Object.entries(columns).map(([from, to]) => [from, writeScalar(to)]));
  return {
    table,
    notes: [`names ${parent} by ${names.join(', ')}; the rows are not the person's, and stay`],
    doubts: [],
    lines: [
      { text: `via: ${writeMap([[parent, reference]])}` },
      {
        text: `action: { overwrite: ${writeMap(names.map((name) => [name, 'null']))} }`,
        doubts: ["or delete the rows, if they are the person's"],
      },
    ],
  };
}

function triggersOn(tables: readonly string[], catalogue: Catalogue): string[] {
  const names = tables.flatMap((table) => catalogue.get(table)?.triggers ?? []);
  return [
    ...new Set(
      names.filter(({ events }) => events.some((it) => it !== 'insert')).map(({ name }) => name),
    ),
  ];
}

function resolveFrom(ways: readonly TableWays[]): SuggestedResolve | undefined {
  const needs = ways.some(
    ({ emails, customerIds }) => (emails.length === 0) !== (customerIds.length === 0),
  );
  const both = ways.find(
    ({ table, emails, customerIds, signs }) =>
      emails.length > 0 &&
      customerIds.length > 0 &&
      (isPeopleTable(table) || signs.ofPerson.length > 0),
  );
  const [email] = both?.emails ?? [];
  const [customerId] = both?.customerIds ?? [];
  if (!needs || both === undefined || email === undefined || customerId === undefined)
    return undefined;
  return { table: both.table, email, customerId };
}

/** Tables of people that other tables may refer to, the likeliest first. */
function peopleIn(ways: readonly TableWays[], catalogue: Catalogue): PeopleTable[] {
  const isPerson = ({ table, emails, via, upward, signs }: TableWays) =>
    isPeopleTable(table) &&
    !via.some(({ parent }) => isPeopleTable(parent)) &&
    (emails.length + upward.length > 0 || signs.ofPerson.length > 0);
  return ways
    .filter(isPerson)
    .toSorted((a, b) => tableWords(a.table).length - tableWords(b.table).length)
    .flatMap(({ table }) => {
      const [id, ...more] = catalogue.get(table)?.primaryKey ?? [];
      return id === undefined || more.length > 0 ? [] : [{ table, id }];
    })
    .slice(0, MAX_PEOPLE);
}

function leadingNowhere(
  { table, customerIds }: TableWays,
  catalogue: Catalogue,
  references: readonly FoundReference[],
): string[] {
  const shape = catalogue.get(table);
  if (shape === undefined) return [];
  const known = new Set([
    ...shape.primaryKey,
    ...customerIds,
    ...references.filter((it) => it.table === table).flatMap(({ columns }) => Object.keys(columns)),
    ...findPairs(shape, catalogue).flatMap(({ id, type }) => [id, type]),
  ]);
  return [...shape.columns.keys()].filter(
    (column) => wordsOf(column).at(-1) === 'id' && !known.has(column) && !isTenantName(column),
  );
}
