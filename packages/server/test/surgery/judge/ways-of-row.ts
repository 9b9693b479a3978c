// What each column and each reference of a row says about whose it is.

import {
  entriesOf,
  entryOf,
  isUnique,
  type Snapshot,
  tableOf,
  tenantColumnOf,
  typeOf,
  type World,
} from '../declared-world.ts';
import type {
  DeclaredTable,
  GeneratedRequest,
  MatchedColumn,
  Pair,
  Row,
} from '../generated-case.ts';
import { compareReference, isNearly, matchesIdentity, valueIn } from './compare-values.ts';

/** `kept`: the person's, and shared with somebody else in a table with `shared: keep`. */
export type Claim = 'own' | 'kept';

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
  /** It does not lead to the request, and is nearly what would. */
  readonly isLoose: boolean;
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
    columns.flatMap((matched) => {
      const value = valueIn(row, matched);
      if (value === null) return [];
      const side = { type: typeMatched(world, declared, matched), value };
      const leads =
        isOfTenant(world, declared, row, request) &&
        request.identities.some(
          (identity) => identity.type === type && matchesIdentity(world.database, side, identity),
        );
      const isLoose = !leads && request.identities.some((one) => isNearly(one.value, value));
      const outside = leads ? 'nobody' : 'somebody';
      const way = { leads, through: 'own', outside, isMismatch: false, isLoose } as const;
      return [{ ...way, comparison: 'clear' } as const];
    }),
  );
  const referred = declared.via.flatMap(
    (via) => wayAlong(world, rows, claims, declared, row, request, via) ?? [],
  );
  return [...matched, ...referred];
}

const typeMatched = (world: World, { table }: DeclaredTable, { column, path }: MatchedColumn) =>
  path === null ? typeOf(world, table, column) : 'text';

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
  const owned = claims.get(via.parent);
  if (owned === undefined) return undefined;
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
  let isNear = false;
  for (const [rid, above] of rows.get(via.parent) ?? []) {
    const spelt = comparePairs(world, declared.table, row, via.parent, above, via.pairs);
    if (owned.has(rid) && areNearly(row, above, via.pairs)) isNear = true;
    // A foreign key says that it is a reference, however it is spelt.
    const compared = spelt === 'spelt' && hasForeignKey(world, declared.table, via) ? 'yes' : spelt;
    if (compared === 'no') continue;
    // What is outside every entry is somebody else's.
    const entry = entryOf(world, via.parent, above);
    const parent = entry ?? { table: via.parent };
    if (!isUniqueAlone && !areOfOneTenant(world, declared, row, parent, above)) {
      // Of a row without a tenant nobody knows whose it is: to hold is no mistake.
      if (hasNoTenant(world, parent, above)) comparison = 'unsure';
      continue;
    }
    const claim = owned.get(rid);
    if (compared !== 'yes') {
      if (claim !== undefined) comparison = compared;
      // Perhaps it refers to somebody else's row: to hold is no mistake.
      else outside = furtherOutside(outside, 'somewhere');
      continue;
    }
    isReferring = true;
    if (claim !== undefined) mine.push(claim);
    // What stays because of somebody else ties to them what it refers to.
    if (claim === 'kept') outside = furtherOutside(outside, 'somebody');
    if (claim === undefined)
      outside = furtherOutside(
        outside,
        entry === undefined
          ? tenancyOutside(world, parent, above, request)
          : tenancyOf(world, rows, entry, above, request),
      );
  }
  if (!isReferring && outside === 'nobody') outside = 'somebody';
  // Where the tenant is part of what is compared, another tenant's row is not referred to at all.
  const leads = mine.length > 0 && (isTenantRight || isUniqueAlone);
  return {
    leads,
    through: commonClaim(mine),
    outside,
    isMismatch: leads && !isTenantRight,
    comparison,
    isLoose: !leads && isNear,
  };
}

const areNearly = (row: Row, above: Row, pairs: readonly Pair[]) =>
  pairs.every(({ child, parent }) => isNearly(row[child] ?? '', above[parent] ?? ''));

/** One way that is the person's own is enough. */
export function commonClaim(claims: readonly Claim[]): Claim {
  return claims.length > 0 && claims.every((claim) => claim === 'kept') ? 'kept' : 'own';
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
  const isAlong = (one: Pair) =>
    pairs.some((pair) => pair.child === one.child && pair.parent === one.parent);
  return tableOf(world, child).references.some(
    (one) =>
      one.onDelete !== null &&
      one.parent === parent &&
      one.pairs.length === pairs.length &&
      one.pairs.every(isAlong),
  );
}

export function isOfTenant(
  world: World,
  declared: Pick<DeclaredTable, 'table'>,
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
  parent: Pick<DeclaredTable, 'table'>,
  above: Row,
): boolean {
  const mine = tenantColumnOf(world, child.table);
  const theirs = tenantColumnOf(world, parent.table);
  if (mine === undefined || theirs === undefined) return true;
  return (row[mine] ?? null) !== null && row[mine] === above[theirs];
}

const furtherOutside = (a: Outside, b: Outside): Outside =>
  OUTSIDE.indexOf(a) > OUTSIDE.indexOf(b) ? a : b;

/** Of a row outside every entry: by its own column, or nothing tells. */
function tenancyOutside(
  world: World,
  parent: Pick<DeclaredTable, 'table'>,
  above: Row,
  request: GeneratedRequest,
): Outside {
  if (world.configuration.tenancy.way !== 'column') return 'somebody';
  if (tenantColumnOf(world, parent.table) === undefined) return 'somewhere';
  return isOfTenant(world, parent, above, request) ? 'somebody' : 'another tenant';
}

/** Of a row that is not the request's: by its own column, or by what it refers to. */
export function tenancyOf(
  world: World,
  rows: Snapshot,
  declared: Pick<DeclaredTable, 'table' | 'via'>,
  row: Row,
  request: GeneratedRequest,
): Outside {
  if (world.configuration.tenancy.way !== 'column') return 'somebody';
  if (tenantColumnOf(world, declared.table) !== undefined) {
    return isOfTenant(world, declared, row, request) ? 'somebody' : 'another tenant';
  }
  const above = declared.via.flatMap(({ parent, pairs }) => {
    if (entriesOf(world.configuration, parent).length === 0) return [];
    return [...(rows.get(parent)?.values() ?? [])]
      .filter((one) => comparePairs(world, declared.table, row, parent, one, pairs) === 'yes')
      .map((one) => {
        const table = entryOf(world, parent, one);
        return table === undefined ? 'somewhere' : tenancyOf(world, rows, table, one, request);
      });
  });
  return above.length === 0 ? 'somewhere' : above.reduce(furtherOutside);
}

function hasNoTenant(world: World, { table }: Pick<DeclaredTable, 'table'>, row: Row): boolean {
  const column = tenantColumnOf(world, table);
  return column !== undefined && (row[column] ?? null) === null;
}
