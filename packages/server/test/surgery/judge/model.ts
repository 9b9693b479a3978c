// The oracle: whose a row is, by the rules of ownership alone. It knows the catalogue, the configuration and
// the rows, and nothing of how a connector looks for them.
import {
  entryOf,
  isAsked,
  isInside,
  isKeyless,
  isParent,
  mayHaveSeveralOwners,
  parentsFirst,
  type Snapshot,
  type World,
} from '../declared-world.ts';
import type { GeneratedRequest } from '../generated-case.ts';
import { tenantsOfDetached } from './detached-tenants.ts';
import { isAsConfigured } from './is-as-configured.ts';
import { givesAnother, isFoundOtherwise, isLookupSpelt, typesOf, withProven } from './look-up.ts';
import { type Claim, type Claims, commonClaim, waysOf } from './ways-of-row.ts';

export interface Ownership {
  readonly claims: ReadonlyMap<string, ReadonlyMap<string, Claim>>;
  /** Why the task has to be held, each with its table. */
  readonly holds: readonly Hold[];
  /** A hold would be right, and so would be none. */
  readonly mayHold: boolean;
}

export interface Hold {
  readonly reason: 'tenant_mismatch' | 'shared' | 'ambiguous_reference' | 'no_usable_identity';
  readonly table: string;
}

export function findOwnership(world: World, rows: Snapshot, request: GeneratedRequest): Ownership {
  const owned = findAllClaims(world, rows, request);
  const detached = tenantsOfDetached(world, rows, owned.claims, request);
  if (detached.length === 0) return owned;
  // A row that goes for another request of the batch is not detached.
  const others = world.requests.map((one) => findAllClaims(world, rows, one).claims);
  const isOthers = ({ table, rid }: { table: string; rid: string }) =>
    others.some((claims) => claims.get(table)?.has(rid));
  const held = detached.filter((one) => one.answer === 'held' && !isOthers(one));
  return {
    ...owned,
    holds: [...owned.holds, ...held.map(toHold)],
    mayHold: owned.mayHold || detached.some(({ answer }) => answer !== 'free'),
  };
}

const toHold = ({ table }: { table: string }): Hold => ({ reason: 'tenant_mismatch', table });

/** By identities that are proven. What only others find is to be held, and so is a value that has come since. */
function findAllClaims(world: World, rows: Snapshot, request: GeneratedRequest): Ownership {
  const proven = withProven(world, rows, request);
  const owned = findClaimsTwice(world, rows, proven);
  const isFound = hasClaims(owned);
  const isOther =
    givesAnother(world, rows, request) ||
    isLookupSpelt(world, rows, request) ||
    (isFound && isFoundOtherwise(world, rows, proven));
  const isUnproven = proven.identities.length < request.identities.length;
  const all = isUnproven ? findClaimsTwice(world, rows, request) : undefined;
  const mayHold = isOther || (all !== undefined && (hasClaims(all) || all.holds.length > 0));
  return mayHold ? { ...owned, mayHold: true } : owned;
}

/** Whether the task has to be held for what is looked up, before anything is erased. `isOthers`: rows that go for another request. */
export function isHeldForLookup(
  world: World,
  rows: Snapshot,
  request: GeneratedRequest,
  isOthers: (table: string, rid: string) => boolean,
): boolean {
  if (givesAnother(world, rows, request)) return true;
  const proven = withProven(world, rows, request);
  const owned = findClaimsTwice(world, rows, proven);
  const isLeft = (table: string, rid: string) =>
    !isDone(world, rows, table, rid) && !isOthers(table, rid);
  const isFound = [...owned.claims].some(([table, found]) =>
    [...found.keys()].some((rid) => isLeft(table, rid)),
  );
  // Tables that are asked by what was looked up before leave nothing unknown.
  const isAskedBefore = (proven.askedBy ?? []).length > 0;
  if (isFound && !isAskedBefore && isFoundOtherwise(world, rows, proven)) return true;
  if (proven.identities.length === request.identities.length) return false;
  const all = findClaimsTwice(world, rows, request);
  return [...all.claims].some(([table, found]) =>
    [...found.keys()].some((rid) => !owned.claims.get(table)?.has(rid) && isLeft(table, rid)),
  );
}

/** Overwritten before: nothing is left to do, so nothing has to be decided. */
function isDone(world: World, rows: Snapshot, table: string, rid: string): boolean {
  const row = rows.get(table)?.get(rid);
  const entry = row && entryOf(world, table, row);
  return entry !== undefined && entry.action !== 'retain' && isAsConfigured(entry, row);
}

const hasClaims = ({ claims }: Ownership) => [...claims.values()].some(({ size }) => size > 0);

/** Rows of an entry that leads to a table may be tied by rows of another that comes from it: decided twice. */
function findClaimsTwice(world: World, rows: Snapshot, request: GeneratedRequest): Ownership {
  const found = findClaims(world, rows, request);
  const isNamed = world.configuration.tables.some(({ via }) => via.some(({ where }) => where));
  return isNamed ? findClaims(world, rows, request, found.claims) : found;
}

function findClaims(
  world: World,
  rows: Snapshot,
  request: GeneratedRequest,
  later?: Claims,
): Ownership {
  const { configuration } = world;
  const types = typesOf(world, rows, request);
  const claims = new Map<string, Map<string, Claim>>();
  const holds: Hold[] = [];
  let mayHold = false;

  if (!configuration.tables.some((declared) => isAsked(configuration, declared, types))) {
    const [first] = configuration.tables;
    const isHeld = configuration.whenUnmatched === 'hold' && first !== undefined;
    if (isHeld) holds.push({ reason: 'no_usable_identity', table: first.table });
    return { claims, holds, mayHold };
  }
  for (const declared of parentsFirst(configuration.tables)) {
    const found = claims.get(declared.table) ?? new Map<string, Claim>();
    claims.set(declared.table, found);
    if (!isAsked(configuration, declared, types)) {
      if (declared.whenUnmatched === 'hold') {
        holds.push({ reason: 'no_usable_identity', table: declared.table });
      }
      continue;
    }
    for (const [rid, row] of rows.get(declared.table) ?? []) {
      if (!isInside(declared, row)) continue;
      const ways = waysOf(world, rows, claims, later, declared, row, request);
      const leading = ways.filter(({ leads }) => leads);
      if (ways.some(({ comparison }) => comparison === 'spelt')) {
        holds.push({ reason: 'ambiguous_reference', table: declared.table });
      }
      if (ways.some(({ comparison }) => comparison === 'unsure')) mayHold = true;
      // What has no key is erased by a condition, which the database decides: it may see more in it than we do.
      const isLoose = isKeyless(world, declared) && ways.some(({ isLoose }) => isLoose);
      if (isLoose) mayHold = true;
      if (leading.length === 0) continue;
      if (leading.some(({ isMismatch }) => isMismatch)) {
        holds.push({ reason: 'tenant_mismatch', table: declared.table });
        continue;
      }
      const outside = mayHaveSeveralOwners(world, declared) ? ways : [];
      const through = commonClaim(leading.map((way) => way.through));
      if (through === 'kept') {
        if (isKeyless(world, declared)) mayHold = true;
        if (outside.some((way) => way.outside !== 'nobody')) mayHold = true;
        found.set(rid, 'kept');
        continue;
      }
      if (outside.some((way) => way.outside === 'another tenant')) {
        holds.push({ reason: 'tenant_mismatch', table: declared.table });
        continue;
      }
      if (outside.some((way) => way.outside === 'somewhere')) mayHold = true;
      const isShared = outside.some((way) => way.outside !== 'nobody');
      // A row that stays whatever happens, and that nothing is reached from, need not be decided about.
      const stays = declared.action === 'retain' && !isParent(configuration, declared);
      if (isShared && declared.shared === 'hold') {
        if (stays) mayHold = true;
        else holds.push({ reason: 'shared', table: declared.table });
        continue;
      }
      const isKept = isShared && declared.shared === 'keep';
      if (isKept && isKeyless(world, declared)) mayHold = true;
      found.set(rid, isKept ? 'kept' : through);
    }
  }
  return { claims, holds, mayHold };
}
