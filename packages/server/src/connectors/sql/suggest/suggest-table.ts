// One table of a draft plan: how its rows are found, what may happen to them, and what is uncertain about it.
import type { Catalogue, TableShape } from '../catalogue.ts';
import { isPeopleTable } from '../personal/table-signs.ts';
import type { SuggestedAction } from './choose-actions.ts';
import { findPairs } from './find-pairs.ts';
import { type FoundReference, namesIn } from './find-references.ts';
import type { TenantColumn } from './find-tenant-column.ts';
import type { TenantOfTable } from './find-tenants.ts';
import type { TableWays } from './find-ways.ts';
import { type PeopleTable, remarkContents, remarkPair } from './remarks.ts';
import type { Question, SuggestedTable } from './suggested-plan.ts';
import type { WayDoubts } from './way-doubts.ts';
import { writeBlock, writeList, writeMap, writeScalar } from './write-yaml.ts';

export interface TableContext {
  readonly catalogue: Catalogue;
  /** Undefined also where the file says that rows are not told apart by a column. */
  readonly tenant: TenantColumn | undefined;
  readonly tenants: ReadonlyMap<string, TenantOfTable>;
  readonly action: SuggestedAction;
  readonly wayDoubts: WayDoubts;
  readonly isInCircle: boolean;
  /** References of the table to itself. */
  readonly own: readonly FoundReference[];
  /** Columns that are named like references, but refer to no known table. */
  readonly leadingNowhere: readonly string[];
  /** Tables to which polymorphic pairs may refer. */
  readonly people: readonly PeopleTable[];
}

export function suggestTable(ways: TableWays, context: TableContext): SuggestedTable {
  const { table } = ways;
  const shape = context.catalogue.get(table);
  if (shape === undefined) throw new Error(`${table} is not in the catalogue`);
  const tenant = tenantLines(ways, context);
  const linesOf = (of: TableWays) => [
    ...keyLines(shape),
    ...matchLines(of),
    ...tenant.lines,
    ...viaLines(of),
    ...sharedLines(of),
    ...actionLines(context.action),
  ];
  return {
    table,
    lines: linesOf(ways),
    ...(isPeopleTable(table) &&
      ways.emails.length > 0 && { alone: linesOf({ ...ways, via: [], upward: [] }) }),
    notes: [...notesOn(ways), ...context.wayDoubts.notes, ...notesAbout(ways, shape, context)],
    doubts: [...context.wayDoubts.doubts, ...tenant.doubts],
    isByNumber: ways.customerIds.length > 0 && !isPeopleTable(table),
    questions: questionsAbout(ways, shape, context),
    parents: [
      ...new Set([...ways.via.map(({ parent }) => parent), ...ways.upward.map((it) => it.table)]),
    ],
    isPersonal: ways.signs.emails.length + ways.signs.strong.length + ways.signs.weak.length > 0,
    hasMatch: ways.emails.length + ways.customerIds.length > 0,
  };
}

/** Says how the tenant of matched rows is known, if the target's column is not there. */
function tenantLines(
  { table, emails, customerIds }: TableWays,
  { tenant, tenants }: TableContext,
): { lines: string[]; doubts: string[] } {
  if (tenant === undefined || emails.length + customerIds.length === 0)
    return { lines: [], doubts: [] };
  const own = tenants.get(table);
  if (own === undefined)
    return {
      lines: [],
      doubts: [
        `it has no ${tenant.column}: name its own tenant_column, or a table that knows it (tenant); if a row is of all tenants, as a login is, write tenancy: none, and retain it`,
      ],
    };
  if ('column' in own)
    return {
      lines: own.column === tenant.column ? [] : [`tenant_column: ${writeScalar(own.column)}`],
      doubts: [],
    };
  return { lines: [writeTenant(own.reference)], doubts: [] };
}

export function writeTenant({ parent, columns }: FoundReference): string {
  return `tenant: ${writeMap([[parent, writeReference(Object.entries(columns))]])}`;
}

const writeReference = (columns: readonly (readonly [string, string])[]): string =>
  writeMap(columns.map(([from, to]) => [from, writeScalar(to)]));

function keyLines({ columns, primaryKey, uniques }: TableShape): string[] {
  if (primaryKey.length > 0) return [];
  const key = uniques.find((unique) =>
    unique.every((name) => columns.get(name)?.isNullable === false),
  );
  return key === undefined ? [] : [`key: ${writeList(key)}`];
}

function matchLines({ emails, customerIds }: TableWays): string[] {
  const entries: [string, string][] = [];
  if (emails.length > 0) entries.push(['email', oneOrList(emails)]);
  if (customerIds.length > 0) entries.push(['controller_customer_id', oneOrList(customerIds)]);
  return entries.length === 0 ? [] : [`match: ${writeMap(entries)}`];
}

function viaLines({ via, upward }: TableWays): string[] {
  if (via.length + upward.length === 0) return [];
  const references = [
    ...via.map(({ parent, columns }) => ({ parent, columns: Object.entries(columns) })),
    ...upward.map(({ table, columns }) => ({
      parent: table,
      columns: Object.entries(columns).map(([from, to]): [string, string] => [to, from]),
    })),
  ];
  const byParent = [...Map.groupBy(references, ({ parent }) => parent)];
  const entries = byParent.map(([parent, list]): [string, string] => {
    const maps = list.map(({ columns }) => writeReference(columns));
    return [parent, maps.length === 1 ? (maps[0] ?? '') : `[${maps.join(', ')}]`];
  });
  return [`via: ${writeMap(entries)}`];
}

function sharedLines(ways: TableWays): string[] {
  if (ways.upward.length > 1) return ['shared: keep'];
  return ways.upward.length > 0 || isShared(ways) ? ['shared: hold'] : [];
}

function isShared({ emails, customerIds, via }: TableWays): boolean {
  const identities = emails.length + customerIds.length;
  return (
    emails.length > 1 ||
    customerIds.length > 1 ||
    via.length > 1 ||
    (identities > 0 && via.length > 0)
  );
}

function noteOnShared(ways: TableWays, shape: TableShape): string[] {
  if (ways.upward.length > 0)
    return ['several people may refer to one row: hold, erase or keep it'];
  if (!isShared(ways)) return [];
  const neverNull = ways.via
    .filter(({ foreignKey }) => foreignKey === null)
    .flatMap(({ columns }) => Object.keys(columns))
    .filter((name) => shape.columns.get(name)?.isNullable === false);
  return [
    isPeopleTable(ways.table) && ways.via.length === 0
      ? 'held where the other value is not in the request; erase, if both are always one person'
      : "a row may be two people's: hold, erase or keep",
    ...(neverNull.length > 0
      ? [`a ${neverNull.join(', ')} of 0 counts as another person: erase, if 0 means no person`]
      : []),
  ];
}

function actionLines(action: SuggestedAction): string[] {
  switch (action.kind) {
    case 'delete':
      return [];
    case 'retain':
      return [`action: { retain: ${JSON.stringify(action.reason)} }`];
    case 'overwrite':
      return ['action:', '  overwrite:', ...writeBlock(Object.entries(action.columns), 4)];
  }
}

function notesOn({ signs, via, upward, emails, customerIds }: TableWays): string[] {
  const personal = [...emails, ...customerIds, ...signs.strong, ...signs.weak];
  return [
    personal.length > 0
      ? `looks personal by ${personal.join(', ')}`
      : via.length > 0
        ? `belongs to its ${[...new Set(via.map(({ parent }) => parent))].join(', ')}`
        : `rows of ${[...new Set(upward.map((it) => it.table))].join(', ')} refer to it`,
    ...(signs.softDeleted.length > 0
      ? [`rows that ${signs.softDeleted.join(', ')} marks as deleted are found and erased too`]
      : []),
  ];
}

function notesAbout(ways: TableWays, shape: TableShape, context: TableContext): string[] {
  const { leftOut } = ways;
  return [
    ...noteOnShared(ways, shape),
    ...(leftOut.length === 0
      ? []
      : [
          `also refers to ${leftOut.map((it) => `${it.parent} by ${namesIn(it)}`).join(', ')}, which is not used`,
        ]),
    ...(context.own.length === 0
      ? []
      : [
          `${context.own.map(namesIn).join(', ')} refers to the table itself: replies to a person's row are not theirs`,
        ]),
    ...(context.leadingNowhere.length === 0
      ? []
      : [
          `${context.leadingNowhere.join(', ')} refers to no table by its name, and may name people`,
        ]),
    ...(context.isInCircle
      ? ['it refers to tables that refer back to it: no order fits all of them']
      : []),
    ...keyNote(shape),
    ...remarkContents(ways.signs),
  ];
}

function keyNote(shape: TableShape): string[] {
  if (shape.primaryKey.length > 0) return [];
  return [
    keyLines(shape).length > 0
      ? 'no primary key, but unique'
      : 'it has no primary key and no unique index: identical rows cannot be told apart',
  ];
}

function questionsAbout(ways: TableWays, shape: TableShape, context: TableContext): Question[] {
  const { table, customerIds } = ways;
  const { action } = context;
  const [id, ...more] = shape.primaryKey;
  const mayBeCalledBy =
    ways.depth === 0 && customerIds.length === 0 && isPeopleTable(table) && more.length === 0
      ? id
      : undefined;
  const questions: (Question | undefined)[] = [
    action.kind === 'retain' ? { kind: 'kept', text: table } : undefined,
    action.kind === 'overwrite'
      ? { kind: 'overwritten', text: `${table} (since ${action.because})` }
      : undefined,
    customerIds.length > 0
      ? { kind: 'customer_id', text: `${table} by ${customerIds.join(', ')}` }
      : mayBeCalledBy === undefined
        ? undefined
        : {
            kind: 'customer_id',
            text: `${table} by ${mayBeCalledBy}`,
          },
  ];
  const pairs = findPairs(shape, context.catalogue).map((pair) => remarkPair(pair, context.people));
  return [
    ...questions.filter((one) => one !== undefined),
    ...pairs.map(({ text, ...rest }) => ({
      ...rest,
      kind: 'pair' as const,
      text: `${table}: ${text}`,
    })),
  ];
}

function oneOrList(columns: readonly string[]): string {
  return columns.length === 1 ? writeScalar(columns[0] ?? '') : writeList(columns);
}
