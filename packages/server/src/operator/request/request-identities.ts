// The identities of a request: in clear only here, in memory, and never in the result of a use case.
import type { Identity } from '../../domain/request/identity.ts';
import { isGiven } from '../../domain/request/identity-source.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { LookedUp } from '../../domain/target/preview.ts';
import type { SealedBytes } from '../../domain/task/fulfilment-ports.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';

export type DigestPerson = (
  controllerId: ControllerId,
  person: readonly Identity[],
) => Uint8Array[];

/** Seals and opens identities, and makes the keyed digests by which they are found again. */
export interface IdentityAccess {
  seal(request: RequestKey, identities: readonly Identity[]): SealedBytes;
  open(request: RequestKey, sealed: readonly SealedBytes[]): Identity[];
  digests(controllerId: ControllerId, identities: readonly Identity[]): Promise<Uint8Array[]>;
  /** Makes the digests of a person with all keys that may have been used, for searching. */
  digestPerson(): Promise<DigestPerson>;
}

export interface IdentityParts {
  readonly store: Pick<Store, 'tasks'>;
  readonly identities: IdentityAccess;
}

export async function identitiesOf(
  { store, identities }: IdentityParts,
  request: RequestKey,
): Promise<Identity[]> {
  return identities.open(request, await store.tasks.sealedIdentities(request));
}

/** Identities that were submitted or added by an operator, and those that targets looked up. */
export async function identitiesBySource(
  { store, identities }: IdentityParts,
  request: RequestKey,
): Promise<{ readonly given: Identity[]; readonly lookedUp: LookedUp[] }> {
  const all = await store.tasks.sealedIdentities(request);
  const sources = Map.groupBy(
    all.filter(({ source }) => !isGiven(source)),
    ({ source = '' }) => source,
  );
  return {
    given: identities.open(
      request,
      all.filter(({ source }) => isGiven(source)),
    ),
    lookedUp: [...sources].map(([source, sealed]) => ({
      source,
      identities: identities.open(request, sealed),
    })),
  };
}

/** Whether the request has all of these. */
export async function hasIdentities(
  parts: IdentityParts,
  request: RequestKey,
  asked: readonly Identity[],
): Promise<boolean> {
  const there = new Set((await identitiesOf(parts, request)).map(nameOf));
  return asked.every((identity) => there.has(nameOf(identity)));
}

const nameOf = (identity: Identity): string => `${identity.type} ${identity.matchKey()}`;

export interface SourcedIdentity {
  readonly identity: Identity;
  /** The request itself, an operator who added it, or a target that looked it up. */
  readonly source: string;
}

/** In the order of identitiesOf. Empty if they cannot be decrypted, which is reported elsewhere. */
export async function identitiesWithSource(
  { store, identities }: IdentityParts,
  request: RequestKey,
): Promise<SourcedIdentity[]> {
  const found = new Map<string, SourcedIdentity>();
  for (const sealed of await store.tasks.sealedIdentities(request)) {
    for (const identity of openOrNone(identities, request, sealed)) {
      const name = nameOf(identity);
      if (!found.has(name)) found.set(name, { identity, source: sealed.source ?? 'request' });
    }
  }
  return [...found.values()];
}

function openOrNone(
  identities: IdentityAccess,
  request: RequestKey,
  sealed: SealedBytes,
): Identity[] {
  try {
    return identities.open(request, [sealed]);
  } catch {
    return [];
  }
}
