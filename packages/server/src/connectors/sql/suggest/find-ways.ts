// How the rows of each table may be found: by an identity, by a reference to rows that were found, or because
// such rows refer to them.
import type { Catalogue } from '../catalogue.ts';
import { type ColumnSigns, looksPersonal, signsOf } from './column-signs.ts';
import type { FoundReference } from './find-references.ts';
import { isTenantName, type TenantColumn } from './find-tenant-column.ts';
import { isOrganisationTable, isPeopleTable } from './table-signs.ts';

export interface TableWays {
  readonly table: string;
  readonly signs: ColumnSigns;
  /** References away from an identity: 0 where the table has one itself. */
  readonly depth: number;
  readonly emails: readonly string[];
  readonly customerIds: readonly string[];
  readonly via: readonly FoundReference[];
  /** References of found rows to this table: its rows may be several people's. */
  readonly upward: readonly FoundReference[];
  /** References by which its rows could be found too, but which say less about whose they are. */
  readonly leftOut: readonly FoundReference[];
}

export function findWays(
  catalogue: Catalogue,
  references: readonly FoundReference[],
  tenant: TenantColumn | undefined,
): ReadonlyMap<string, TableWays> {
  const usable = references.filter(
    (reference) =>
      reference.sense === 'owned' &&
      reference.parent !== reference.table &&
      !isToOrganisation(reference, tenant),
  );
  const signs = new Map([...catalogue.values()].map((shape) => [shape.table, signsOf(shape)]));
  const depths = new Map<string, number>();
  const starts = findStarts(signs, usable, references, tenant);
  for (const level of starts) spread(level, usable, depths);

  const ways = new Map<string, TableWays>();
  for (const [table, depth] of depths) {
    const own = usable.filter((it) => it.table === table && depths.has(it.parent));
    const via = own.filter(({ parent }) => depths.get(parent) === depthAbove(own, depths, depth));
    const leftOut = own.filter((it) => !via.includes(it));
    ways.set(table, { ...found(table, signs, references, depth), via, upward: [], leftOut });
  }
  for (const [table, of] of signs) {
    if (ways.has(table) || !looksPersonal(of) || isOrganisationTable(table)) continue;
    const upward = usable.filter(
      ({ parent, table: child }) => parent === table && depths.has(child),
    );
    const [first] = upward;
    if (first === undefined) continue;
    const depth = (depths.get(first.table) ?? 0) + 1;
    ways.set(table, { ...found(table, signs, references, depth), via: [], upward, leftOut: [] });
  }
  return ways;
}

/** The references that lead to the nearest parents; none that leads further away from the identities. */
function depthAbove(
  own: readonly FoundReference[],
  depths: ReadonlyMap<string, number>,
  depth: number,
): number | undefined {
  const above = own.map(({ parent }) => depths.get(parent) ?? 0).filter((it) => it < depth);
  return above.length === 0 ? undefined : Math.min(...above);
}

/** Tables with identities, those first whose rows are not somebody's through another of them. */
function findStarts(
  signs: ReadonlyMap<string, ColumnSigns>,
  usable: readonly FoundReference[],
  references: readonly FoundReference[],
  tenant: TenantColumn | undefined,
): string[][] {
  const tenantTables = references
    .filter(({ columns }) => Object.keys(columns).join() === tenant?.column)
    .map(({ parent }) => parent);
  const withEmail = [...signs].filter(([, it]) => it.emails.length > 0).map(([table]) => table);
  const people = withEmail.filter(
    (table) => !isOrganisationTable(table) && !tenantTables.includes(table),
  );
  const identified = people.length > 0 ? people : withEmail;
  const refers = (table: string) =>
    parentsOf(table, usable).some((parent) => identified.includes(parent));
  const free = identified.filter((table) => !refers(table));
  const first = free.length > 0 ? free : identified.filter(isPeopleTable);
  const byCustomerId = [...signs]
    .filter(([table]) => !identified.includes(table) && !refers(table))
    .filter(([table, it]) => freeCustomerIds(table, it, references).length > 0)
    .map(([table]) => table);
  return [first, identified, byCustomerId];
}

/** All that its references lead to, step by step. */
function parentsOf(table: string, references: readonly FoundReference[]): string[] {
  const seen = new Set<string>();
  const open = [table];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const { parent } of references.filter((it) => it.table === name)) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  seen.delete(table);
  return [...seen];
}

function spread(
  level: readonly string[],
  usable: readonly FoundReference[],
  depths: Map<string, number>,
): void {
  let next = level.filter((table) => !depths.has(table));
  for (let depth = 0; next.length > 0; depth++) {
    for (const table of next) depths.set(table, depth);
    const reached = usable.filter(
      ({ parent, table }) => next.includes(parent) && !depths.has(table),
    );
    next = [...new Set(reached.map(({ table }) => table))];
  }
}

function found(
  table: string,
  all: ReadonlyMap<string, ColumnSigns>,
  references: readonly FoundReference[],
  depth: number,
): Pick<TableWays, 'table' | 'signs' | 'depth' | 'emails' | 'customerIds'> {
  const signs = all.get(table) ?? signsOf({ table, columns: new Map() });
  return {
    table,
    signs,
    depth,
    emails: signs.emails,
    customerIds: freeCustomerIds(table, signs, references),
  };
}

/** A customer_id that refers to the table of customers is a reference, and no identity. */
function freeCustomerIds(
  table: string,
  { customerIds }: ColumnSigns,
  references: readonly FoundReference[],
): string[] {
  const referring = references
    .filter((it) => it.table === table)
    .flatMap(({ columns }) => Object.keys(columns));
  return customerIds.filter((column) => !referring.includes(column));
}

function isToOrganisation(
  { columns, parent }: FoundReference,
  tenant: TenantColumn | undefined,
): boolean {
  const [column = '', ...more] = Object.keys(columns);
  if (more.length > 0) return false;
  return column === tenant?.column || (isTenantName(column) && isOrganisationTable(parent));
}
