// The public keys of one issuer: discovery, then JWKS, kept and renewed. A flood of unknown kids
// costs at most one fetch a minute; an unreachable issuer delays only its own users.
import type { Clock } from '../../domain/clock.ts';
import { mayHoldKeys, type SsoIssuer } from '../../domain/tenant/sso-issuer.ts';
import { IssuerUnavailable } from '../principal.ts';
import { fetchJson } from './fetch-json.ts';

const REFETCH_MS = 60_000;
const RETRY_MS = 10_000;
const MAX_AGE_MS = 15 * 60_000;

export interface JwkSet {
  readonly keys: readonly { readonly kid?: string }[];
}

export interface IssuerKeys {
  /** The cached keys; with `missing`, they are fetched again if the limit allows. */
  get(missing?: boolean): Promise<JwkSet>;
}

export function createIssuerKeys(
  config: Pick<SsoIssuer, 'issuer' | 'jwksUri'>,
  clock: Clock,
): IssuerKeys {
  let keys: JwkSet | undefined;
  let loadedAt: number | undefined;
  let failedAt: number | undefined;
  let refetchedAt: number | undefined;
  let loading: Promise<JwkSet> | undefined;

  async function load(): Promise<JwkSet> {
    try {
      const jwks = await fetchKeys(config);
      keys = jwks;
      loadedAt = clock();
      failedAt = undefined;
      return jwks;
    } catch (cause) {
      failedAt = clock();
      throw new IssuerUnavailable(
        'The issuer of this token cannot be reached for its keys; try again later',
        { cause },
      );
    } finally {
      loading = undefined;
    }
  }

  function loadOnce(): Promise<JwkSet> {
    loading ??= load();
    return loading;
  }

  return {
    async get(missing = false) {
      if (keys === undefined) {
        if (loading !== undefined || hasPassed(RETRY_MS, failedAt)) return loadOnce();
        throw new IssuerUnavailable(
          'The issuer of this token could not be reached; try again later',
        );
      }
      if (missing) return lookAgain(keys);
      // Old keys stay in use while new ones are fetched, and while the issuer is unreachable.
      if (hasPassed(MAX_AGE_MS, loadedAt) && hasPassed(RETRY_MS, failedAt)) {
        void loadOnce().catch(() => undefined);
      }
      return keys;
    },
  };

  async function lookAgain(known: JwkSet): Promise<JwkSet> {
    if (hasPassed(REFETCH_MS, refetchedAt)) {
      refetchedAt = clock();
      return loadOnce();
    }
    if (loading !== undefined) return loading;
    if (failedAt === undefined) return known;
    // The key may exist, but it could not be fetched: not the token's fault.
    throw new IssuerUnavailable('The issuer of this token could not be reached; try again later');
  }

  /** Also true if the clock was set back: otherwise keys, or a delay, could last for ever. */
  function hasPassed(milliseconds: number, since: number | undefined): boolean {
    return since === undefined || Math.abs(clock() - since) >= milliseconds;
  }
}

async function fetchKeys({
  issuer,
  jwksUri,
}: Pick<SsoIssuer, 'issuer' | 'jwksUri'>): Promise<JwkSet> {
  const jwks = await fetchJson(jwksUri ?? (await keyAddress(issuer)));
  if (
    !Array.isArray(jwks.keys) ||
    !jwks.keys.every((key) => typeof key === 'object' && key !== null)
  ) {
    throw new Error(`the key set of ${issuer} has no list of keys`);
  }
  return jwks as unknown as JwkSet;
}

/** The address from the metadata, if it is allowed: see mayHoldKeys. */
async function keyAddress(issuer: string): Promise<string> {
  const base = issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;
  const metadata = await fetchJson(`${base}/.well-known/openid-configuration`);
  if (metadata.issuer !== issuer) {
    throw new Error(`the metadata of ${issuer} names another issuer`);
  }
  const { jwks_uri: given } = metadata;
  const address = typeof given === 'string' ? URL.parse(given) : null;
  if (address === null) throw new Error(`the metadata of ${issuer} has no jwks_uri`);
  if (!mayHoldKeys(address, new URL(issuer), false)) {
    throw new Error(
      `the metadata of ${issuer} has its keys at ${address.origin}, which is not its own address; if that is right, set jwks_uri for this issuer`,
    );
  }
  return address.href;
}
