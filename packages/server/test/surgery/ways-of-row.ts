// What each column and each reference of a row says about whose it is.
import { compareReference, matchesIdentity } from './compare-values.ts';
import {
  declaredOf,
  isUnique,
  type Snapshot,
  tableOf,
  tenantColumnOf,
  typeOf,
  type World,
} from './declared-world.ts';
import type { DeclaredTable, GeneratedRequest, Pair, Row } from './generated-case.ts';

/**
 * `kept`: the person's, and shared with somebody else in a table with `shared: keep`. `either`: reached through
 * a kept row and through others; it may go or stay.
 */
export type Claim = 'own' | 'kept' | 'either';

/** Whom it ties the row to, beside this request. `somewhere`: of a tenant that cannot be told. */
type Outside = 'nobody' | 'somebody' | 'somewhere' | 'another tenant';
const OUTSIDE: readonly Outside[] = ['nobody', 'somebody', 'somewhere', 'another tenant'];

/** What one column or one reference says about a row. */
export interface Way {
  readonly leads: boolean;
  /** What it leads through. */
  readonly through: Claim;
  readonly outside: Outside;
  readonly isMismatch: boolean;
  readonly comparison: 'clear' | 'spelt' | 'unsure';
}

type Via = DeclaredTable['via'][number];

export function waysOf(
  world: World,
  rows: Snapshot,
  claims: ReadonlyMap<string, ReadonlyMap<string, Claim>>,
  declared: DeclaredTable,
  row: Row,
  request: GeneratedRequest,
): Way[] {
  const matched = Object.entries(declared.match).flatMap(([type, columns]) =>
    columns.flatMap((column) => {
      const value = row[column] ?? null;
      if (value === null) return [];
      const side = { type: typeOf(world, declared.table, column), value };
      const leads =
        isOfTenant(world, declared, row, request) &&
        request.identities.some(
          (identity) => identity.type === type && matchesIdentity(world.database, side, identity),
        );
      const outside = leads ? 'nobody' : 'somebody';
      return [{ leads, through: 'own', outside, isMismatch: false, comparison: 'clear' } as const];
    }),
  );
  const referred = declared.via.flatMap(
    (via) => wayAlong(world, rows, claims, declared, row, request, via) ?? [],
  );
  return [...matched, ...referred];
}

function wayAlong(
  world: World,
  rows: Snapshot,
  claims: ReadonlyMap<string, ReadonlyMap<string, Claim>>,
  declared: DeclaredTable,
  row: Row,
  request: GeneratedRequest,
  via: Via,
): Way | undefined {
  // A NULL in any column of a reference is no reference.
  if (via.pairs.some(({ child }) => (row[child] ?? null) === null)) return undefined;
  const parent = declaredOf(world, via.parent);
  const owned = claims.get(via.parent);
  if (parent === undefined || owned === undefined) return undefined;
  const isUniqueAlone = isUnique(
    world,
    via.parent,
    via.pairs.map((pair) => pair.parent),
  );
  const isTenantRight = isOfTenant(world, declared, row, request);
  const mine: Claim[] = [];
  let outside: Outside = 'nobody';
  let comparison: Way['comparison'] = 'clear';
  let isReferring = false;
  for (const [rid, above] of rows.get(via.parent) ?? []) {
    const spelt = comparePairs(world, declared.table, row, via.parent, above, via.pairs);
    // A foreign key says that it is a reference, however it is spelt.
    const compared = spelt === 'spelt' && hasForeignKey(world, declared.table, via) ? 'yes' : spelt;
    if (compared === 'no') continue;
    if (!isUniqueAlone && !areOfOneTenant(world, declared, row, parent, above)) {
      // Of a row without a tenant nobody knows whose it is: to hold is no mistake.
      if (hasNoTenant(world, parent, above)) comparison = 'unsure';
      continue;
    }
    const claim = owned.get(rid);
    if (compared !== 'yes') {
      if (claim !== undefined) comparison = compared;
      continue;
    }
    isReferring = true;
    if (claim !== undefined) mine.push(claim);
    else outside = furtherOutside(outside, tenancyOf(world, rows, parent, above, request));
  }
  if (!isReferring) outside = 'somebody';
  // Where the tenant is part of what is compared, another tenant's row is not referred to at all.
  const leads = mine.length > 0 && (isTenantRight || isUniqueAlone);
  return {
    leads,
    through: commonClaim(mine),
    outside,
    isMismatch: leads && !isTenantRight,
    comparison,
  };
}

export function commonClaim(claims: readonly Claim[]): Claim {
  const [first = 'own'] = claims;
  return claims.every((claim) => claim === first) ? first : 'either';
}

function comparePairs(
  world: World,
  child: string,
  row: Row,
  parent: string,
  above: Row,
  pairs: readonly Pair[],
): 'yes' | 'no' | 'spelt' | 'unsure' {
  const compared = pairs.map((pair) => {
    const [mine, theirs] = [row[pair.child] ?? null, above[pair.parent] ?? null];
    if (mine === null || theirs === null) return 'no';
    return compareReference(
      world.database,
      { type: typeOf(world, child, pair.child), value: mine },
      { type: typeOf(world, parent, pair.parent), value: theirs },
    );
  });
  return (['no', 'unsure', 'spelt'] as const).find((one) => compared.includes(one)) ?? 'yes';
}

function hasForeignKey(world: World, child: string, { parent, pairs }: Via): boolean {
  const isAlong = (one: Pair) => pairs.some((pair) => pair.child === one.child);
  return tableOf(world, child).references.some(
    (one) =>
      one.onDelete !== null &&
      one.parent === parent &&
      one.pairs.length === pairs.length &&
      one.pairs.every(isAlong),
  );
}

function isOfTenant(
  world: World,
  declared: DeclaredTable,
  row: Row,
  request: GeneratedRequest,
): boolean {
  const { tenancy } = world.configuration;
  const column = tenantColumnOf(world, declared.table);
  if (tenancy.way !== 'column' || column === undefined) return true;
  return row[column] === (tenancy.values[request.controllerId] ?? request.controllerId);
}

function areOfOneTenant(
  world: World,
  child: DeclaredTable,
  row: Row,
  parent: DeclaredTable,
  above: Row,
): boolean {
  const mine = tenantColumnOf(world, child.table);
  const theirs = tenantColumnOf(world, parent.table);
  if (mine === undefined || theirs === undefined) return true;
  return (row[mine] ?? null) !== null && row[mine] === above[theirs];
}

const furtherOutside = (a: Outside, b: Outside): Outside =>
  OUTSIDE.indexOf(a) > OUTSIDE.indexOf(b) ? a : b;

/** Of a row that is not the request's: by its own column, or by what it refers to. */
function tenancyOf(
  world: World,
  rows: Snapshot,
  declared: DeclaredTable,
  row: Row,
  request: GeneratedRequest,
): Outside {
  if (world.configuration.tenancy.way !== 'column') return 'somebody';
  if (tenantColumnOf(world, declared.table) !== undefined) {
    return isOfTenant(world, declared, row, request) ? 'somebody' : 'another tenant';
  }
  const above = declared.via.flatMap(({ parent, pairs }) => {
    const table = declaredOf(world, parent);
    if (table === undefined) return [];
    return [...(rows.get(parent)?.values() ?? [])]
      .filter((one) => comparePairs(world, declared.table, row, parent, one, pairs) === 'yes')
      .map((one) => tenancyOf(world, rows, table, one, request));
  });
  return above.length === 0 ? 'somewhere' : above.reduce(furtherOutside);
}

function hasNoTenant(world: World, { table }: DeclaredTable, row: Row): boolean {
  const column = tenantColumnOf(world, table);
  return column !== undefined && (row[column] ?? null) === null;
}
