// Finds a column that seems to say which tenant a row belongs to.
import type { Catalogue, TableShape } from '../catalogue.ts';
import { signsOf } from '../personal/column-signs.ts';
import { wordsOf } from '../personal/name-words.ts';
import { isPeopleTable } from '../personal/table-signs.ts';
import type { FoundReference } from './find-references.ts';

const TENANTS =
  /^(?:(?:tenant|realm|account|organi[sz]ation|org|company|workspace|team|shop|store|site|merchant|controller) id|tenant|account)$/;

export interface TenantColumn {
  readonly column: string;
  readonly tables: readonly string[];
}

export function findTenantColumn(
  catalogue: Catalogue,
  references: readonly FoundReference[],
): TenantColumn | undefined {
  const byColumn = Map.groupBy(
    [...catalogue.values()].flatMap(({ table, columns }) =>
      [...columns.keys()].filter(isTenantName).map((column) => ({ table, column })),
    ),
    ({ column }) => column,
  );
  return [...byColumn]
    .map(([column, found]) => ({ column, tables: found.map(({ table }) => table) }))
    .filter((tenant) => tellsApart(tenant, catalogue, references))
    .toSorted((a, b) => b.tables.length - a.tables.length)[0];
}

export function tenantColumnCalled(column: string, catalogue: Catalogue): TenantColumn {
  const tables = [...catalogue.values()].filter(({ columns }) => columns.has(column));
  return { column, tables: tables.map(({ table }) => table) };
}

export function isTenantName(column: string): boolean {
  return TENANTS.test(wordsOf(column).join(' '));
}

/**
 * The column is in the tables of people: a column that refers to a person's own account does not separate
 * tenants.
 */
function tellsApart(
  { column, tables }: TenantColumn,
  catalogue: Catalogue,
  references: readonly FoundReference[],
): boolean {
  const hasEmail = (table: string) => {
    const shape = catalogue.get(table);
    return shape !== undefined && signsOf(shape).emails.length > 0;
  };
  if (tables.length < 2 || !tables.some(hasEmail)) return false;
  const parents = references
    .filter(({ columns }) => Object.keys(columns).join() === column)
    .map(({ parent }) => parent);
  // Mastodon's accounts, which have a display_name, are the people themselves.
  if (parents.some((parent) => isOnePerson(catalogue.get(parent)))) return false;
  const isOfPeople = parents.some((parent) => isPeopleTable(parent) && hasEmail(parent));
  return !isOfPeople || tables.some((table) => isPeopleTable(table) && hasEmail(table));
}

function isOnePerson(shape: TableShape | undefined): boolean {
  if (shape === undefined || !isPeopleTable(shape.table)) return false;
  const { strong, weak } = signsOf(shape);
  return strong.length > 0 || weak.length > 1;
}
