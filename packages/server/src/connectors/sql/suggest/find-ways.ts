// How the rows of each table may be found: by an identity, by a reference to rows that were found, or because
// such rows refer to them.
import type { Catalogue } from '../catalogue.ts';
import { type ColumnSigns, looksPersonal, signsOf } from '../personal/column-signs.ts';
import { isNamedAfter, tableWords } from '../personal/name-words.ts';
import {
  isOrganisationTable,
  isPeopleTable,
  isServedTable,
  isStaffTable,
  isThingTable,
} from '../personal/table-signs.ts';
import { type FoundReference, isPlainReference, setsAnew } from './find-references.ts';
import { findStarts, freeCustomerIds } from './find-starts.ts';
import { isTenantName, type TenantColumn } from './find-tenant-column.ts';

export interface TableWays {
  readonly table: string;
  readonly signs: ColumnSigns;
  /** Number of references from an identity: 0 if the table has one itself. */
  readonly depth: number;
  readonly emails: readonly string[];
  readonly customerIds: readonly string[];
  readonly via: readonly FoundReference[];
  /** References of found rows to this table: its rows may belong to several people. */
  readonly upward: readonly FoundReference[];
  /** Further references by which its rows could be found, but which say less about whose they are. */
  readonly leftOut: readonly FoundReference[];
}

type Found = Pick<TableWays, 'table' | 'signs' | 'depth' | 'emails' | 'customerIds'>;

export function findWays(
  catalogue: Catalogue,
  references: readonly FoundReference[],
  tenant: TenantColumn | undefined,
): ReadonlyMap<string, TableWays> {
  const signs = new Map([...catalogue.values()].map((shape) => [shape.table, signsOf(shape)]));
  const isDeclared = references.some(({ foreignKey }) => foreignKey !== null);
  const down = references.filter(
    (it) =>
      leadsDown(it, signs, tenant) &&
      // The name of a column does not make a client a part of the user who entered it.
      (!isDeclared || it.foreignKey !== null || !isServedTable(it.table)),
  );
  // An order is the customer's, not the user's who entered it.
  const served = new Set(
    down.flatMap((it) =>
      isServedTable(it.parent) && (it.foreignKey !== null || !isDeclared) ? it.table : [],
    ),
  );
  const possible = down.filter(
    (it) => !served.has(it.table) || isServedTable(it.parent) || !isPeopleTable(it.parent),
  );
  const reach = (usable: readonly FoundReference[]) => {
    const starts = findStarts({ catalogue, signs, references, usable, tenant });
    const depths = new Map<string, number>();
    for (const { tables, depth } of starts.levels) spread(tables, depth, usable, depths);
    return { starts, depths };
  };
  // Where a declared key leads to a person, names decide nothing.
  const declared = possible.filter(({ foreignKey }) => foreignKey !== null);
  const reached = reach(declared).depths;
  const decided = new Set(declared.flatMap((it) => (reached.has(it.parent) ? it.table : [])));
  const usable = possible.filter((it) => it.foreignKey !== null || !decided.has(it.table));
  const { starts, depths } = reach(usable);

  const found = (table: string, depth: number): Found => {
    const own = signs.get(table) ?? signsOf({ table, columns: new Map() });
    const key = starts.byKey.has(table) ? (catalogue.get(table)?.primaryKey ?? []) : [];
    const customerIds = [...freeCustomerIds(table, own, references), ...key];
    return { table, signs: own, depth, emails: own.emails, customerIds };
  };
  const ways = new Map<string, TableWays>();
  for (const [table, depth] of depths) {
    const upward = starts.named.get(table) ?? [];
    const own = usable.filter((it) => it.table === table && depths.has(it.parent));
    const via = upward.length > 0 ? [] : chooseWays(own, depths, found(table, depth));
    ways.set(table, { ...found(table, depth), via, upward, leftOut: [] });
  }
  for (const [table, of] of signs) {
    if (ways.has(table) || !looksPersonal(of) || isNoPersons(table)) continue;
    const upward = references.filter(
      (it) =>
        it.parent === table &&
        it.sense !== 'acted' &&
        it.table !== table &&
        !isToOrganisation(it, tenant) &&
        depths.has(it.table),
    );
    const [first] = upward;
    const isGuess = upward.every(({ foreignKey }) => foreignKey === null);
    // The fullname of a course is not a person's.
    if (first === undefined || (isGuess && of.strong.length + of.weak.length < 2)) continue;
    const depth = (depths.get(first.table) ?? 0) + 1;
    ways.set(table, { ...found(table, depth), via: [], upward, leftOut: [] });
  }
  return withLeftOut(ways, references, tenant);
}

function withLeftOut(
  ways: ReadonlyMap<string, TableWays>,
  references: readonly FoundReference[],
  tenant: TenantColumn | undefined,
): ReadonlyMap<string, TableWays> {
  const used = [...ways.values()].flatMap(({ via, upward }) => [...via, ...upward]);
  const left = references.filter(
    (it) =>
      it.sense === 'owned' &&
      it.table !== it.parent &&
      ways.has(it.parent) &&
      !used.includes(it) &&
      !isToOrganisation(it, tenant),
  );
  return new Map(
    [...ways].map(([table, way]) => [
      table,
      { ...way, leftOut: left.filter((it) => it.table === table) },
    ]),
  );
}

function isNoPersons(table: string): boolean {
  return isOrganisationTable(table) || isThingTable(table);
}

/**
 * Whether the referring row belongs to the parent. People do not belong to things that they refer to, such
 * as their picture.
 */
function leadsDown(
  reference: FoundReference,
  signs: ReadonlyMap<string, ColumnSigns>,
  tenant: TenantColumn | undefined,
): boolean {
  const { table, parent, sense } = reference;
  return (
    sense === 'owned' &&
    parent !== table &&
    !isToOrganisation(reference, tenant) &&
    (!isPeopleTable(table) || isPersonBelow(table, parent, signs))
  );
}

/**
 * People do not belong to the staff who look after them; but a login belongs to the partner whose address
 * it has.
 */
function isPersonBelow(
  table: string,
  parent: string,
  signs: ReadonlyMap<string, ColumnSigns>,
): boolean {
  if (isPeopleTable(parent)) return !isStaffTable(parent) || isNamedAfter(table, parent);
  return (
    signs.get(table)?.emails.length === 0 &&
    (signs.get(parent)?.emails.length ?? 0) > 0 &&
    !isNoPersons(parent)
  );
}

/**
 * Chooses the ways that say most about whose a row is; among these the nearest, and none that leads further
 * away.
 */
function chooseWays(
  own: readonly FoundReference[],
  depths: ReadonlyMap<string, number>,
  { table, depth, emails }: Found,
): FoundReference[] {
  const depthOf = ({ parent }: FoundReference) => depths.get(parent) ?? 0;
  const above = own.filter((it) => depthOf(it) < depth);
  // A member of a person's project is another person, unless the row is a part of the project.
  const fitting =
    emails.length === 0
      ? above
      : above.filter(({ parent }) => isPeopleTable(parent) || isNamedAfter(table, parent));
  const declared = fitting.filter(({ foreignKey }) => foreignKey !== null);
  const possible = declared.length > 0 ? declared : fitting;
  const best = Math.min(...possible.map((it) => rankOf(it)));
  const chosen = possible.filter((it) => rankOf(it) === best);
  const nearest = Math.min(...chosen.map(depthOf));
  return chosen.filter((it) => depthOf(it) === nearest);
}

/** The lower, the more it says about whose a row is: first a foreign key to people, or user_id. */
function rankOf(reference: FoundReference): number {
  const { table, parent, foreignKey } = reference;
  const isDeclared = foreignKey !== null;
  if (!isPeopleTable(parent)) return isDeclared ? 1 : 3;
  if (isStaffTable(parent) && tableWords(table).at(-1) !== tableWords(parent).at(-1)) return 4;
  return (isDeclared && !setsAnew(reference)) || isPlainReference(reference) ? 0 : 2;
}

function spread(
  level: readonly string[],
  from: number,
  usable: readonly FoundReference[],
  depths: Map<string, number>,
): void {
  let next = level.filter((table) => !depths.has(table));
  for (let depth = from; next.length > 0; depth++) {
    for (const table of next) depths.set(table, depth);
    const reached = usable.filter(
      ({ parent, table }) => next.includes(parent) && !depths.has(table),
    );
    next = [...new Set(reached.map(({ table }) => table))];
  }
}

function isToOrganisation(
  { columns, parent }: FoundReference,
  tenant: TenantColumn | undefined,
): boolean {
  const [column = '', ...more] = Object.keys(columns);
  if (more.length > 0) return false;
  return column === tenant?.column || (isTenantName(column) && isOrganisationTable(parent));
}
