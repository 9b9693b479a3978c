// One table of a draft plan: how its rows are found, what may happen to them, and what is uncertain about it.
import type { Catalogue, TableShape } from '../catalogue.ts';
import { isPeopleTable } from '../personal/table-signs.ts';
import type { SuggestedAction } from './choose-actions.ts';
import { findPairs } from './find-pairs.ts';
import { type FoundReference, namesIn } from './find-references.ts';
import type { TenantColumn } from './find-tenant-column.ts';
import type { TableWays } from './find-ways.ts';
import { type PeopleTable, remarkContents, remarkPair } from './remarks.ts';
import type { Doubt, SuggestedLine, SuggestedTable } from './suggested-plan.ts';
import type { WayDoubts } from './way-doubts.ts';
import { writeBlock, writeList, writeMap, writeScalar } from './write-yaml.ts';

export interface TableContext {
  readonly catalogue: Catalogue;
  readonly tenant: TenantColumn | undefined;
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
  const lines = [
    ...keyLines(shape),
    ...matchLines(ways, context),
    ...viaLines(ways, context),
    ...sharedLines(ways, shape),
    ...actionLines(context.action),
  ];
  return { table, lines, notes: notesOn(ways), doubts: doubtsAbout(ways, shape, context) };
}

function keyLines({ columns, primaryKey, uniques }: TableShape): SuggestedLine[] {
  if (primaryKey.length > 0) return [];
  const key = uniques.find((unique) =>
    unique.every((name) => columns.get(name)?.isNullable === false),
  );
  return key === undefined
    ? []
    : [{ text: `key: ${writeList(key)}`, doubts: ['no primary key, but unique'] }];
}

function matchLines(
  ways: TableWays,
  { tenant, catalogue, wayDoubts }: TableContext,
): SuggestedLine[] {
  const { table, emails, customerIds } = ways;
  const entries: [string, string][] = [];
  if (emails.length > 0) entries.push(['email', oneOrList(emails)]);
  if (customerIds.length > 0) entries.push(['controller_customer_id', oneOrList(customerIds)]);
  if (entries.length === 0) return [];
  const doubts = [
    ...wayDoubts.match,
    ...(customerIds.length > 0
      ? [`is ${customerIds.join(', ')} what the controllers call their customers by?`]
      : []),
    ...(tenant !== undefined && catalogue.get(table)?.columns.has(tenant.column) === false
      ? [`it has no ${tenant.column}: name its own tenant_column, or find its rows by via`]
      : []),
  ];
  return [lineOf(`match: ${writeMap(entries)}`, doubts)];
}

function viaLines({ via, upward }: TableWays, { wayDoubts }: TableContext): SuggestedLine[] {
  if (via.length + upward.length === 0) return [];
  const references = [
    ...via.map(({ parent, columns }) => ({ parent, columns })),
    ...upward.map(({ table, columns }) => ({
      parent: table,
      columns: Object.fromEntries(Object.entries(columns).map(([from, to]) => [to, from])),
    })),
  ];
  const byParent = [...Map.groupBy(references, ({ parent }) => parent)];
  const entries = byParent.map(([parent, list]): [string, string] => {
    const maps = list.map(({ columns }) =>
      writeMap(Object.entries(columns).map(([from, to]) => [from, writeScalar(to)])),
    );
    return [parent, maps.length === 1 ? (maps[0] ?? '') : `[${maps.join(', ')}]`];
  });
  return [lineOf(`via: ${writeMap(entries)}`, wayDoubts.via)];
}

function sharedLines(ways: TableWays, shape: TableShape): SuggestedLine[] {
  const { emails, customerIds, via, upward } = ways;
  const identities = emails.length + customerIds.length;
  if (upward.length > 1)
    return [
      {
        text: 'shared: keep',
        doubts: ['several people may refer to one row, which then stays: keep, hold or erase'],
      },
    ];
  if (upward.length > 0)
    return [
      {
        text: 'shared: hold',
        doubts: ['several people may refer to one row: hold, erase or keep'],
      },
    ];
  const isShared =
    emails.length > 1 ||
    customerIds.length > 1 ||
    via.length > 1 ||
    (identities > 0 && via.length > 0);
  if (!isShared) return [];
  const neverNull = via
    .filter(({ foreignKey }) => foreignKey === null)
    .flatMap(({ columns }) => Object.keys(columns))
    .filter((name) => shape.columns.get(name)?.isNullable === false);
  const doubts = [
    isPeopleTable(ways.table) && via.length === 0
      ? 'held where the other value is not in the request; erase, if both are always one person'
      : "a row may be two people's: hold, erase or keep",
    ...(neverNull.length > 0
      ? [`a ${neverNull.join(', ')} of 0 counts as another person: erase, if 0 means no person`]
      : []),
  ];
  return [lineOf('shared: hold', doubts)];
}

function actionLines(action: SuggestedAction): SuggestedLine[] {
  switch (action.kind) {
    case 'delete':
      return [];
    case 'retain':
      return [
        {
          text: `action: { retain: ${JSON.stringify(action.reason)} }`,
          doubts: ['retain with a reason that you could give to the person, overwrite, or delete'],
        },
      ];
    case 'overwrite':
      return [
        {
          text: ['action:', '  overwrite:', ...writeBlock(Object.entries(action.columns), 4)],
          doubts: [`overwritten, since ${action.because}; are these all personal columns?`],
        },
      ];
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

function doubtsAbout(ways: TableWays, shape: TableShape, context: TableContext): Doubt[] {
  const texts = [
    ...askForCustomerId(ways, shape),
    ...ways.leftOut.map(
      (it) =>
        `also refers to ${it.parent} by ${namesIn(it)}, which is not used: a row may be somebody else's there`,
    ),
    ...context.own.map(
      (it) => `${namesIn(it)} refers to the table itself: replies to a person's row are not theirs`,
    ),
    ...context.leadingNowhere.map(
      (column) => `${column} refers to no table by its name: does it name people?`,
    ),
    ...(context.isInCircle
      ? ['it refers to tables that refer back to it: no order fits all of them']
      : []),
    ...(shape.primaryKey.length > 0 || keyLines(shape).length > 0
      ? []
      : ['it has no primary key and no unique index: identical rows cannot be told apart']),
  ];
  return [
    ...texts.map((text) => ({ text })),
    ...remarkContents(ways.signs),
    ...findPairs(shape, context.catalogue).map((pair) => remarkPair(pair, context.people)),
  ];
}

function askForCustomerId({ table, depth, customerIds }: TableWays, shape: TableShape): string[] {
  const [id, ...more] = shape.primaryKey;
  if (depth > 0 || customerIds.length > 0 || !isPeopleTable(table)) return [];
  return id === undefined || more.length > 0
    ? []
    : [
        `if the controllers call their customers by ${id}, add to match: controller_customer_id: ${writeScalar(id)}`,
      ];
}

function oneOrList(columns: readonly string[]): string {
  return columns.length === 1 ? writeScalar(columns[0] ?? '') : writeList(columns);
}

function lineOf(text: string, doubts: readonly string[]): SuggestedLine {
  return doubts.length === 0 ? { text } : { text, doubts };
}
