// What each column and each reference of a row says about whose it is.

import {
  entriesOf,
  entryOf,
  isMeant,
  isUnique,
  type Snapshot,
  tellsTenant,
  tenantColumnOf,
  typeOf,
  type World,
} from '../declared-world.ts';
import type {
  DeclaredTable,
  GeneratedRequest,
  MatchedColumn,
  Row,
  Via,
} from '../generated-case.ts';
import { areNearly, comparePairs, hasForeignKey } from './compare-pairs.ts';
import { isNearly, matchesIdentity, valuesIn, withoutBlanks } from './compare-values.ts';
import {
  haveOneTenant,
  isOfNobody,
  isOfSeveral,
  isOfTenant,
  isReferenceSpelt,
  isSpeltTenant,
} from './is-of-tenant.ts';
import { isPlaceholder } from './look-up.ts';

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

export type Claims = ReadonlyMap<string, ReadonlyMap<string, Claim>>;

export function waysOf(
  world: World,
  rows: Snapshot,
  claims: Claims,
  /** What is known of entries that are decided later; undefined where nothing is. */
  later: Claims | undefined,
  declared: DeclaredTable,
  row: Row,
  request: GeneratedRequest,
): Way[] {
  // Of several tenants, or of one that is spelt differently: held.
  const isSpelt =
    isSpeltTenant(world, rows, declared, row, request) ||
    isOfSeveral(world, rows, declared, row, request);
  const isUnsure = isReferenceSpelt(world, rows, declared, row);
  const matched = Object.entries(declared.match).flatMap(([type, columns]) =>
    columns.flatMap((matched) =>
      valuesIn(row, matched).flatMap((value) => {
        const side = { type: typeMatched(world, declared, matched), value };
        const leads =
          (isSpelt || isOfTenant(world, rows, declared, row, request)) &&
          request.identities.some(
            ({ type: given, value: looked }) =>
              given === type &&
              matchesIdentity(world.database, side, {
                type: given,
                value: matched.trim ? withoutBlanks(looked) : looked,
              }),
          );
        // Who was there was erased, by this plan.
        const own = { configuration: world.configuration };
        const isNobody =
          matched.path === null && isPlaceholder(own, declared.table, matched.column, value);
        if (!leads && isNobody) return [];
        const isLoose = !leads && request.identities.some((one) => isNearly(one.value, value));
        const outside = leads ? 'nobody' : 'somebody';
        const isMismatch = leads && isSpelt;
        const way = { leads, through: 'own', outside, isMismatch, isLoose } as const;
        return [{ ...way, comparison: isUnsure ? 'unsure' : 'clear' } as const];
      }),
    ),
  );
  const referred = declared.via.flatMap(
    (via) => wayAlong(world, rows, claims, later, declared, row, request, via) ?? [],
  );
  return [...matched, ...referred];
}

const typeMatched = (world: World, { table }: DeclaredTable, { column, path }: MatchedColumn) =>
  path === null ? typeOf(world, table, column) : 'text';

function wayAlong(
  world: World,
  rows: Snapshot,
  claims: Claims,
  later: Claims | undefined,
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
  const isTenantRight = isOfTenant(world, rows, declared, row, request);
  const isSpelt =
    isSpeltTenant(world, rows, declared, row, request) ||
    isOfSeveral(world, rows, declared, row, request);
  const mine: Claim[] = [];
  let outside: Outside = 'nobody';
  let comparison: Way['comparison'] = isReferenceSpelt(world, rows, declared, row)
    ? 'unsure'
    : 'clear';
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
    const areOfOne =
      haveOneTenant(world, rows, [declared, row], [parent, above]) ||
      (isSpelt && isOfTenant(world, rows, parent, above, request));
    if (!isUniqueAlone && !areOfOne) {
      // Of a row without a tenant nobody knows whose it is: to hold is no mistake.
      if (isOfNobody(world, rows, parent, above)) comparison = 'unsure';
      continue;
    }
    // Rows of an entry that is not meant are no way to the person, and tie to whose they are.
    if (entry !== undefined && !isMeant(via, entry)) {
      if (compared !== 'yes') {
        comparison = 'unsure';
        continue;
      }
      const theirs = owned.get(rid) ?? later?.get(via.parent)?.get(rid);
      if (owned.has(rid) || isComingFrom(world, declared, via, entry)) {
        if (theirs === 'kept') outside = furtherOutside(outside, 'somebody');
        continue;
      }
      if (theirs === 'own' || later === undefined) comparison = 'unsure';
      else outside = furtherOutside(outside, tenancyOf(world, rows, entry, above, request));
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
          ? tenancyOutside(world, rows, parent, above, request)
          : tenancyOf(world, rows, entry, above, request),
      );
  }
  // A row of the person has the very spelling: whether another one does too makes no difference.
  if (comparison === 'spelt' && mine.length > 0) comparison = 'unsure';
  // Where the other table has the reference, a row that none of its rows refers to is not tied by it.
  if (!isReferring && outside === 'nobody' && !isReverse(world, declared, via))
    outside = 'somebody';
  // Where the tenant is part of what is compared, another tenant's row is not referred to at all. Rows of other
  // tenants may refer to what is of all of them.
  const isOfAll = entriesOf(world.configuration, via.parent).some((one) => one.isOfAllTenants);
  const isOthers = isOfAll && !isOfNobody(world, rows, declared, row);
  const mayLead = isTenantRight || isSpelt || (isUniqueAlone && !isOthers);
  const leads = mine.length > 0 && mayLead;
  // A row that is not the person's in the very spelling either: to hold is no mistake.
  if (comparison === 'spelt' && !mayLead) comparison = 'unsure';
  return {
    leads,
    through: commonClaim(mine),
    outside,
    isMismatch: leads && !isTenantRight,
    comparison,
    isLoose: !leads && isNear,
  };
}

/** Several rows of the parent may refer to one of this table, and not the other way round. */
function isReverse(world: World, { table }: DeclaredTable, { parent, pairs }: Via): boolean {
  const [own, theirs] = [pairs.map((pair) => pair.child), pairs.map((pair) => pair.parent)];
  const tenant = tenantColumnOf(world, table) && tenantColumnOf(world, parent);
  const compared = tenant === undefined ? theirs : [...theirs, tenant];
  return isUnique(world, table, own) && !isUnique(world, parent, compared);
}

/** Rows of the entry are found through the child alone, by the same columns back: whoever has it has them. */
function isComingFrom(
  world: World,
  child: DeclaredTable,
  { pairs }: Via,
  { match, via }: DeclaredTable,
): boolean {
  const isBack = (back: Via) =>
    isMeant(back, child) &&
    back.pairs.length === pairs.length &&
    pairs.every((pair) =>
      back.pairs.some((one) => one.child === pair.parent && one.parent === pair.child),
    );
  const columns = pairs.map((pair) => pair.child);
  return (
    isUnique(world, child.table, columns) &&
    Object.keys(match).length === 0 &&
    via.length > 0 &&
    via.every(isBack)
  );
}

/** One way that is the person's own is enough. */
export function commonClaim(claims: readonly Claim[]): Claim {
  return claims.length > 0 && claims.every((claim) => claim === 'kept') ? 'kept' : 'own';
}

const furtherOutside = (a: Outside, b: Outside): Outside =>
  OUTSIDE.indexOf(a) > OUTSIDE.indexOf(b) ? a : b;

/** Of a row outside every entry: by its own column, or nothing tells. */
function tenancyOutside(
  world: World,
  rows: Snapshot,
  parent: Pick<DeclaredTable, 'table'>,
  above: Row,
  request: GeneratedRequest,
): Outside {
  if (world.configuration.tenancy.way !== 'column') return 'somebody';
  if (!tellsTenant(world, parent.table)) return 'somewhere';
  return isOfTenant(world, rows, parent, above, request) ? 'somebody' : 'another tenant';
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
  if (tellsTenant(world, declared.table)) {
    return isOfTenant(world, rows, declared, row, request) ? 'somebody' : 'another tenant';
  }
  const above = declared.via.flatMap((via) => {
    const { parent, pairs } = via;
    if (entriesOf(world.configuration, parent).length === 0) return [];
    return [...(rows.get(parent)?.values() ?? [])].flatMap((one) => {
      const compared = comparePairs(world, declared.table, row, parent, one, pairs);
      if (compared === 'no') return [];
      const entry = entryOf(world, parent, one);
      // One without a tenant does not tell of which it is, nor does one that is spelt differently.
      const isKnown = entry && isMeant(via, entry) && !isOfNobody(world, rows, entry, one);
      const isClear = compared === 'yes' || hasForeignKey(world, declared.table, via);
      return isKnown && isClear ? tenancyOf(world, rows, entry, one, request) : 'somewhere';
    });
  });
  return above.length === 0 ? 'somewhere' : above.reduce(furtherOutside);
}
