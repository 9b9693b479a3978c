// The tables at which the search for a person begins: tables with an identity, and tables of people that such
// rows refer to.
import type { Catalogue } from '../catalogue.ts';
import { type ColumnSigns, looksPersonal } from '../personal/column-signs.ts';
import { isNamedAfter, tableWords } from '../personal/name-words.ts';
import {
  isOrganisationTable,
  isPeopleTable,
  isStaffTable,
  isThingTable,
} from '../personal/table-signs.ts';
import type { FoundReference } from './find-references.ts';
import type { TenantColumn } from './find-tenant-column.ts';

export interface Starts {
  /** Tables by their distance from an identity; the first of a level is the likeliest way to rows below. */
  readonly levels: readonly { readonly depth: number; readonly tables: readonly string[] }[];
  /**
   * Tables of people without their own identity, found by references of rows that have one: user_emails.
   */
  readonly named: ReadonlyMap<string, readonly FoundReference[]>;
  /** Tables of people without any identity, if nothing else is known: their key may be the customer id. */
  readonly byKey: ReadonlySet<string>;
}

interface Known {
  readonly catalogue: Catalogue;
  readonly signs: ReadonlyMap<string, ColumnSigns>;
  readonly references: readonly FoundReference[];
  /** References by which rows below a person are found. */
  readonly usable: readonly FoundReference[];
  readonly tenant: TenantColumn | undefined;
}

export function findStarts(known: Known): Starts {
  const { signs, usable, references } = known;
  const identified = findIdentified(known);
  const named = findNamed(identified, known);
  const known0 = [...identified, ...named.keys()];
  const refers = (table: string) =>
    parentsOf(table, usable).some((parent) => known0.includes(parent));
  const naming = [...named.values()].flat().map(({ table }) => table);
  const free = identified.filter((table) => naming.includes(table) || !refers(table));
  const people = free.filter(
    (table) => naming.includes(table) || (isPersonal(table, signs) && !isStaffTable(table)),
  );
  const byCustomerId = [...signs]
    .filter(([table]) => !identified.includes(table) && !refers(table))
    .filter(([table, it]) => freeCustomerIds(table, it, references).length > 0)
    .map(([table]) => table);
  const byKey = [...identified, ...byCustomerId].some((it) => isPersonal(it, signs))
    ? []
    : findByKey(known).filter((table) => !named.has(table) && !refers(table));
  const levels = [
    {
      depth: 0,
      tables: people.length > 0 ? people : free.length > 0 ? [] : identified.filter(isPeopleTable),
    },
    { depth: 1, tables: [...named.keys()] },
    { depth: 0, tables: byKey },
    { depth: 0, tables: free },
    { depth: 0, tables: identified },
    { depth: 0, tables: byCustomerId },
  ];
  return { levels, named, byKey: new Set(byKey) };
}

/** A customer_id that refers to the table of customers is a reference, not an identity. */
export function freeCustomerIds(
  table: string,
  { customerIds }: ColumnSigns,
  references: readonly FoundReference[],
): string[] {
  const referring = references
    .filter((it) => it.table === table)
    .flatMap(({ columns }) => Object.keys(columns));
  return customerIds.filter((column) => !referring.includes(column));
}

function isPersonal(table: string, signs: ReadonlyMap<string, ColumnSigns>): boolean {
  return isPeopleTable(table) || (signs.get(table)?.ofPerson.length ?? 0) > 0;
}

/** Tables with an address that may be a person's. */
function findIdentified({ signs, references, tenant }: Known): string[] {
  const tenants = tenantTables(references, tenant);
  const withEmail = [...signs]
    .filter(([table, it]) => it.emails.length > 0 && !isThingTable(table))
    .map(([table]) => table);
  const people = withEmail.filter(
    (table) => !isOrganisationTable(table) && !tenants.includes(table),
  );
  return people.length > 0 ? people : withEmail;
}

/** The tables to which the tenant column refers. */
export function tenantTables(
  references: readonly FoundReference[],
  tenant: TenantColumn | undefined,
): string[] {
  return references
    .filter(({ columns }) => Object.keys(columns).join() === tenant?.column)
    .map(({ parent }) => parent);
}

/** `users` by user_emails, Mastodon's accounts by users. But not staff by an order that they handled. */
function findNamed(
  identified: readonly string[],
  { signs, usable, references, tenant }: Known,
): ReadonlyMap<string, readonly FoundReference[]> {
  const tenants = tenantTables(references, tenant);
  const people = [...signs.keys()].filter(
    (table) =>
      isPeopleTable(table) &&
      !isStaffTable(table) &&
      !isOrganisationTable(table) &&
      !tenants.includes(table) &&
      !identified.includes(table) &&
      // A profile, or a table that connects people with something, belongs to other rows.
      !usable.some((it) => it.table === table && isPeopleTable(it.parent)),
  );
  return new Map(
    people.flatMap((parent): [string, FoundReference[]][] => {
      const naming = references.filter(
        (it) =>
          it.parent === parent &&
          it.sense !== 'acted' &&
          identified.includes(it.table) &&
          (isPeopleTable(it.table) || rank(it.table, parent) > 0),
      );
      const best = Math.max(...naming.map(({ table }) => rank(table, parent)));
      const found = naming.filter(({ table }) => rank(table, parent) === best);
      return found.length === 0 ? [] : [[parent, found]];
    }),
  );
}

/** How likely the rows are the addresses of the parent's rows. */
function rank(table: string, parent: string): number {
  const words = tableWords(table);
  if (words.some((it) => /^(?:token|log|history|change|invite|event|audit)$/.test(it))) return 0;
  const isOfEmails = words.some((it) =>
    /^(?:e?mails?|address|login|identity|credential)$/.test(it),
  );
  return (isNamedAfter(table, parent) ? 2 : 0) + (isOfEmails ? 1 : 0);
}

function findByKey({ catalogue, signs, references }: Known): string[] {
  return [...signs]
    .filter(
      ([table, it]) =>
        isPeopleTable(table) &&
        !isOrganisationTable(table) &&
        looksPersonal(it) &&
        it.ofPerson.length > 0 &&
        catalogue.get(table)?.primaryKey.length === 1 &&
        references.some(({ parent }) => parent === table),
    )
    .map(([table]) => table);
}

/** All tables that its references lead to, step by step. */
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
