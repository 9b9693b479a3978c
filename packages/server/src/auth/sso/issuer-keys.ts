// The public keys of one issuer: discovery, then JWKS, kept and renewed. A flood of unknown kids
// costs at most one fetch a minute; an issuer that is away delays only its own users.
import type { Clock } from '../../domain/ports.ts';
import { IssuerUnavailable } from '../principal.ts';
import { fetchJson } from './fetch-json.ts';

const REFETCH_MS = 60_000;
const RETRY_MS = 10_000;
const MAX_AGE_MS = 15 * 60_000;

export interface JwkSet {
  readonly keys: readonly { readonly kid?: string }[];
}

export interface IssuerKeys {
  /** The keys as known; with `missing`, looked up anew where the limit allows. */
  get(missing?: boolean): Promise<JwkSet>;
}

export function createIssuerKeys(issuer: string, clock: Clock): IssuerKeys {
  let keys: JwkSet | undefined;
  let loadedAt = 0;
  let failedAt: number | undefined;
  let refetchedAt: number | undefined;
  let loading: Promise<JwkSet> | undefined;

  async function load(): Promise<JwkSet> {
    try {
      const jwks = await fetchKeys(issuer);
      keys = jwks;
      loadedAt = clock();
      failedAt = undefined;
      return jwks;
    } catch (cause) {
      failedAt = clock();
      throw new IssuerUnavailable(
        'The issuer of this token cannot be reached for its keys; try again in a little while',
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

  function mayRetry(): boolean {
    return failedAt === undefined || clock() - failedAt >= RETRY_MS;
  }

  return {
    async get(missing = false) {
      if (loading !== undefined) return loading;
      if (keys === undefined) {
        if (mayRetry()) return loadOnce();
        throw new IssuerUnavailable('The issuer of this token could not be reached just now');
      }
      if (missing && (refetchedAt === undefined || clock() - refetchedAt >= REFETCH_MS)) {
        refetchedAt = clock();
        return loadOnce();
      }
      // Old keys go on serving while new ones are fetched, and where the issuer is away.
      if (clock() - loadedAt >= MAX_AGE_MS && mayRetry()) void loadOnce().catch(() => undefined);
      return keys;
    },
  };
}

async function fetchKeys(issuer: string): Promise<JwkSet> {
  const base = issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;
  const metadata = await fetchJson(`${base}/.well-known/openid-configuration`);
  if (metadata.issuer !== issuer) {
    throw new Error(`the metadata of ${issuer} names another issuer`);
  }
  if (typeof metadata.jwks_uri !== 'string') {
    throw new Error(`the metadata of ${issuer} has no jwks_uri`);
  }
  const jwks = await fetchJson(metadata.jwks_uri);
  if (!Array.isArray(jwks.keys)) throw new Error(`the key set of ${issuer} has no keys`);
  return jwks as unknown as JwkSet;
}
