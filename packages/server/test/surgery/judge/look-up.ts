// What `resolve` says: the identities that one table gives for those that were submitted.
import type { IdentityType } from '@unwrite/protocol';
import { isAsked, isInside, type Snapshot, typeOf, type World } from '../declared-world.ts';
import type {
  GeneratedCase,
  GeneratedRequest,
  GivenIdentity,
  Lookup,
  LookupEnd,
  Row,
} from '../generated-case.ts';
import type { TryRecord } from '../run-case.ts';
import { matchesIdentity } from './compare-values.ts';
import { isWritten } from './is-as-configured.ts';
import { isOfSeveral, isOfTenant, isReferenceSpelt, isSpeltTenant } from './is-of-tenant.ts';

/** The requests with all that was looked up for them: when they started, and anew after a release. */
export function withLookedUp(
  generated: GeneratedCase,
  records: readonly TryRecord[],
): GeneratedRequest[] {
  return generated.requests.map((request) => {
    const known = new Set(request.identities.map(nameOf));
    // A target that is refused is not asked.
    const found = records.flatMap(({ lookedUpIn, configuration, problems }) =>
      lookedUpIn === undefined || problems.length > 0
        ? []
        : (lookUp({ ...generated, configuration }, lookedUpIn, request) ?? []),
    );
    const once = new Map(found.map((identity) => [nameOf(identity), identity]));
    const lookedUp = [...once.values()].filter((identity) => !known.has(nameOf(identity)));
    if (lookedUp.length === 0) return request;
    return { ...request, identities: [...request.identities, ...lookedUp], lookedUp };
  });
}

/** Without what was looked up and is not given by these rows: it finds nothing that may be touched. */
export function withProven(
  world: World,
  rows: Snapshot,
  request: GeneratedRequest,
): GeneratedRequest {
  const { lookedUp = [] } = request;
  if (lookedUp.length === 0) return request;
  const now = new Set((lookUp(world, rows, request) ?? []).map(nameOf));
  const gone = lookedUp.filter((identity) => !now.has(nameOf(identity)));
  return {
    ...request,
    identities: request.identities.filter((identity) => !gone.includes(identity)),
    lookedUp: lookedUp.filter((identity) => !gone.includes(identity)),
    // Tables are asked by them all the same: what they find is held.
    askedBy: gone.map(({ type }) => type),
  };
}

/** undefined: the request has nothing to look up by. */
export function lookUp(
  world: World,
  rows: Snapshot,
  request: GeneratedRequest,
): GivenIdentity[] | undefined {
  const { resolve, tenancy } = world.configuration;
  if (resolve === null) return undefined;
  if (tenancy.way === 'controller' && tenancy.controllerId !== request.controllerId) return [];
  const given = submitted(request).filter(({ type }) => type === resolve.from.type);
  if (given.length === 0) return undefined;
  const findBy = (identities: readonly GivenIdentity[]): GivenIdentity[] => {
    const values = rowsWith(world, rows, request, resolve, resolve.from, identities).flatMap(
      (row) => row[resolve.to.column] ?? [],
    );
    return [...new Set(values)]
      .filter((value) => !isPlaceholder(world, resolve.table, resolve.to.column, value))
      .map((value) => ({ type: resolve.to.type, value }));
  };
  let found = findBy(given);
  // What is looked up from its own type is looked up by, too.
  while (resolve.from.type === resolve.to.type) {
    const more = findBy([...given, ...found]);
    if (more.length === found.length) break;
    found = more;
  }
  return found;
}

/** What a plan writes into the column is nobody's. */
export function isPlaceholder(
  { configuration, others = [] }: Pick<World, 'configuration' | 'others'>,
  table: string,
  column: string,
  value: string,
): boolean {
  const entries = [configuration, ...others].flatMap(({ tables }) => tables);
  return entries.some((entry) => {
    if (entry.table !== table || typeof entry.action === 'string') return false;
    const written = entry.action.overwrite[column] ?? null;
    const isText =
      typeof written !== 'object' ||
      (written !== null && ('unique' in written || 'hash' in written));
    return isText && isWritten(written, value);
  });
}

const submitted = ({ identities, lookedUp = [] }: GeneratedRequest) =>
  identities.filter((identity) => !lookedUp.includes(identity));

function rowsWith(
  world: World,
  rows: Snapshot,
  request: GeneratedRequest,
  resolve: Lookup,
  { column }: LookupEnd,
  identities: readonly GivenIdentity[],
): Row[] {
  const type = typeOf(world, resolve.table, column);
  return [...(rows.get(resolve.table)?.values() ?? [])].filter((row) => {
    const value = row[column] ?? null;
    if (value === null || !isInside(resolve, row)) return false;
    if (!isOfTenant(world, rows, { table: resolve.table }, row, request)) return false;
    return identities.some((one) => matchesIdentity(world.database, { type, value }, one));
  });
}

/** A row with the person's identity whose tenant is only spelt differently, or not one alone: to hold is no mistake. */
export function isLookupSpelt(world: World, rows: Snapshot, request: GeneratedRequest): boolean {
  const { resolve } = world.configuration;
  if (resolve === null) return false;
  const type = typeOf(world, resolve.table, resolve.from.column);
  return [...(rows.get(resolve.table)?.values() ?? [])].some((row) => {
    const value = row[resolve.from.column] ?? null;
    return (
      value !== null &&
      [isSpeltTenant, isOfSeveral, isReferenceSpelt].some((isUnclear) =>
        isUnclear(world, rows, { table: resolve.table }, row, request),
      ) &&
      request.identities.some((one) => matchesIdentity(world.database, { type, value }, one))
    );
  });
}

/** The types that tables can be asked by: also one of which the person has no value. */
export function typesOf(
  world: World,
  rows: Snapshot,
  request: GeneratedRequest,
): Set<IdentityType> {
  const types = new Set([...givenTypes(request), ...(request.askedBy ?? [])]);
  const { resolve } = world.configuration;
  const found = lookUp(world, rows, request);
  if (resolve !== null && found?.length === 0) types.add(resolve.to.type);
  return types;
}

const givenTypes = ({ identities }: GeneratedRequest) =>
  new Set(identities.map(({ type }) => type));

/** Whether the table gives an identity now that is none of the request's: to be held before anything is erased. */
export function givesAnother(world: World, rows: Snapshot, request: GeneratedRequest): boolean {
  const known = new Set(request.identities.map(withOneSpelling).map(nameOf));
  return (lookUp(world, rows, request) ?? [])
    .map(withOneSpelling)
    .some((identity) => !known.has(nameOf(identity)));
}

const UUID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** All spellings of a UUID are one value. */
function withOneSpelling({ type, value }: GivenIdentity): GivenIdentity {
  return { type, value: UUID.test(value) ? value.replaceAll('-', '').toLowerCase() : value };
}

/** Found otherwise than by the lookup: then what is known by the looked-up type may be there too. */
export function isFoundOtherwise(world: World, rows: Snapshot, request: GeneratedRequest): boolean {
  const { resolve, tables } = world.configuration;
  if (resolve === null) return false;
  const types = givenTypes(request);
  const isUnknown = lookUp(world, rows, request)?.length === 0 && !types.has(resolve.to.type);
  return (
    isUnknown &&
    tables.some(
      (entry) => entry.whenUnmatched === 'hold' && !isAsked(world.configuration, entry, types),
    )
  );
}

export const nameOf = ({ type, value }: GivenIdentity) =>
  `${type} ${type === 'email' ? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value}`;
