// A draft plan from the catalogue alone: a pure function that reads no row.
import type { Catalogue } from '../catalogue.ts';
import { tableWords, wordsOf } from '../personal/name-words.ts';
import { isPeopleTable } from '../personal/table-signs.ts';
import { fires } from '../plan/plan-changes.ts';
import { askQuestions } from './ask-questions.ts';
import { chooseActions, isNullable, type SuggestedAction } from './choose-actions.ts';
import { findPairs } from './find-pairs.ts';
import { type FoundReference, findReferences, setsAnew } from './find-references.ts';
import { findTenantColumn, isTenantName, tenantColumnCalled } from './find-tenant-column.ts';
import { findTenants } from './find-tenants.ts';
import { findWays, type TableWays } from './find-ways.ts';
import { orderTables } from './order-tables.ts';
import type { IsNumbered } from './references-by-name.ts';
import { remarkOn } from './remark-on-table.ts';
import type { PeopleTable } from './remarks.ts';
import { suggestTable } from './suggest-table.ts';
import type { SuggestedPlan, SuggestedResolve, SuggestedTable } from './suggested-plan.ts';
import { doubtWay } from './way-doubts.ts';
import { withLeads } from './with-leads.ts';
import { withoutGuesses } from './without-guesses.ts';
import { writeMap, writeScalar } from './write-yaml.ts';

const MAX_PEOPLE = 2;

/** What the file says of tenancy; `column` is null if rows are not told apart by one. */
export interface GivenTenancy {
  readonly isGiven: boolean;
  readonly column: string | null;
}

export function suggestPlan(
  catalogue: Catalogue,
  isNumbered: IsNumbered,
  given: GivenTenancy,
): SuggestedPlan {
  const references = findReferences(catalogue, isNumbered);
  const tenant =
    given.column === null
      ? findTenantColumn(catalogue, references)
      : tenantColumnCalled(given.column, catalogue);
  const compared = given.isGiven && given.column === null ? undefined : tenant;
  const tenants = findTenants(catalogue, references, compared);
  const ways = new Map(
    [...findWays(catalogue, references, tenant)].map(([table, way]) => [
      table,
      withoutGuesses(way, compared, tenants),
    ]),
  );
  const actions = chooseActions(ways, catalogue, references);
  const acted = actedReferences(references, ways, actions, catalogue);
  const depths = new Map([
    ...[...ways].map(([table, { depth }]): [string, number] => [table, depth]),
    ...acted.emptied.map(({ table }): [string, number] => [table, 1]),
  ]);
  const kept = [...actions].filter(([, { kind }]) => kind !== 'delete').map(([table]) => table);
  const { order, inCircle } = orderTables(depths, references, new Set(kept));
  const people = peopleIn([...ways.values()], catalogue);

  const tables = order.map((table): SuggestedTable => {
    const way = ways.get(table);
    const emptied = acted.emptied.find((it) => it.table === table);
    if (way === undefined && emptied !== undefined) return emptiedTable(emptied);
    if (way === undefined) throw new Error(`${table} has no way`);
    return suggestTable(way, {
      catalogue,
      tenant: compared,
      tenants,
      people,
      wayDoubts: doubtWay(way, { catalogue, references, ways }),
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
  const triggers = triggersOn(actions, acted.detached, catalogue);
  const resolve = resolveFrom([...ways.values()]);
  const others = [!given.isGiven, acted.detached.length > 0, triggers.length > 0, resolve];
  const { entries, questions, leftOut } = askQuestions(
    tables,
    remarks,
    others.filter(Boolean).length,
  );
  const certain = new Set(entries.flatMap((one) => (one.question === undefined ? one.table : [])));
  const detached = acted.detached.filter(({ parent }) => certain.has(parent));
  return {
    tenant: compared,
    tables: withLeads(entries, tenants, compared?.column),
    detach: [
      ...new Set(
        detached.flatMap(({ table, columns }) =>
          Object.keys(columns).map((column) => `${table}.${column}`),
        ),
      ),
    ],
    triggers,
    resolve,
    questions,
    leftOut,
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
    isByNumber: false,
    questions: [],
    lines: [
      `via: ${writeMap([[parent, reference]])}`,
      `action: { overwrite: ${writeMap(names.map((name) => [name, 'null']))} }`,
    ],
    parents: [parent],
    isPersonal: false,
    hasMatch: false,
  };
}

/** `detached`: references that become NULL. */
function triggersOn(
  actions: ReadonlyMap<string, SuggestedAction>,
  detached: readonly FoundReference[],
  catalogue: Catalogue,
): string[] {
  const changes = [
    ...[...actions].map(([table, action]) => ({
      table,
      event: action.kind === 'delete' ? ('delete' as const) : ('update' as const),
      columns: action.kind === 'overwrite' ? Object.keys(action.columns) : [],
    })),
    ...detached.map(({ table, columns }) => ({
      table,
      event: 'update' as const,
      columns: Object.keys(columns),
    })),
  ].filter(({ event, columns }) => event === 'delete' || columns.length > 0);
  const names = changes.flatMap((change) => {
    const shape = catalogue.get(change.table);
    return (shape?.triggers ?? [])
      .filter((trigger) => fires(trigger, change, shape))
      .map(({ name }) => name);
  });
  return [...new Set(names)];
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
