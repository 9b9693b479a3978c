// Turns an Authorization header into a principal. Verified tokens are kept in a bounded cache and checked again
// every few seconds, so that a revoked client is refused well within 60 s.
import { hash } from 'node:crypto';
import { createBoundedMap } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock.ts';
import type { TenantStore } from '../domain/tenant/tenant-ports.ts';
import type { AccessTokens } from './access-token.ts';
import { type ParsedJwt, parseJwt } from './jwt.ts';
import { type Principal, Unauthenticated } from './principal.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { SsoVerifier } from './sso/verify-token.ts';

const MAX_REMEMBERED = 10_000;

const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i;

export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** The principal of a recently verified header; never reads the store. */
export type Recall = (authorization: string) => Principal | undefined;

export interface Authentication {
  readonly authenticate: Authenticate;
  readonly recall: Recall;
}

interface Remembered {
  readonly principal: Principal;
  readonly expiresAt: number;
  checkedAt: number;
  readonly isStillGood: () => Promise<boolean>;
}

export interface AuthenticateOptions {
  /** How many tokens are cached, over all clients. */
  readonly maxRemembered?: number;
  readonly tokens: AccessTokens;
  readonly keys: SigningKeys;
  readonly tenants: Pick<TenantStore, 'mayUse'>;
  readonly sso: SsoVerifier;
  readonly issuer: string;
  readonly clock: Clock;
  /** How long a verified token is accepted without a recheck. */
  readonly recheckMs: number;
}

export function createAuthentication(options: AuthenticateOptions): Authentication {
  const { tokens, keys, tenants, sso, issuer, clock, recheckMs } = options;
  const remembered = createBoundedMap<string, Remembered>(options.maxRemembered ?? MAX_REMEMBERED);
  /** Concurrent callers with the same token share one verification. */
  const underWay = new Map<string, Promise<Principal>>();

  function remember(key: string, entry: Remembered): Principal {
    remembered.set(key, entry);
    return entry.principal;
  }

  function recall(key: string): Principal | undefined {
    const entry = remembered.get(key);
    if (entry === undefined) return undefined;
    const now = clock();
    const isFresh = now < entry.expiresAt && Math.abs(now - entry.checkedAt) < recheckMs;
    return isFresh ? entry.principal : undefined;
  }

  /** Throws if the store cannot be read: the answer is then neither yes nor no. */
  async function askAgain(key: string): Promise<Principal | undefined> {
    const entry = remembered.get(key);
    if (entry === undefined) return undefined;
    const now = clock();
    if (now < entry.expiresAt && (await entry.isStillGood())) {
      entry.checkedAt = now;
      return entry.principal;
    }
    remembered.delete(key);
    return undefined;
  }

  async function acceptOwn(key: string, jwt: ParsedJwt): Promise<Principal> {
    const checkedAt = clock();
    const verified = await tokens.verify(jwt);
    if ('refused' in verified) throw refuse(verified.refused);
    const { clientId, secretId, controllerId, kid, expiresAt } = verified;
    const isStillGood = async () =>
      (await keys.verifying(kid)) !== undefined && (await tenants.mayUse(clientId, secretId));
    if (!(await isStillGood())) throw refuse('its client or secret was revoked');
    const principal = { controllerId, actor: `client:${clientId}` };
    return remember(key, { principal, expiresAt, checkedAt, isStillGood });
  }

  async function acceptSso(key: string, token: string, jwt: ParsedJwt): Promise<Principal> {
    const checkedAt = clock();
    const { principal, expiresAt } = await sso.verify(token, jwt);
    // Verified again after a few seconds: role and organisation are not checked otherwise.
    const isStillGood = async () => false;
    return remember(key, { principal, expiresAt, checkedAt, isStillGood });
  }

  async function check(key: string, token: string): Promise<Principal> {
    const known = await askAgain(key);
    if (known !== undefined) return known;
    const jwt = parseJwt(token);
    if (jwt === undefined) throw refuse('it is not a well-formed token');
    if (jwt.claims.iss === issuer) return acceptOwn(key, jwt);
    return acceptSso(key, token, jwt);
  }

  const authenticate: Authenticate = async (authorization) => {
    if (authorization === undefined) {
      throw new Unauthenticated(
        'A bearer token is needed: send "Authorization: Bearer <ACCESS_TOKEN>"; POST /oauth/token gives one',
        false,
      );
    }
    const token = tokenOf(authorization);
    if (token === undefined) {
      throw new Unauthenticated(
        'The Authorization header must be "Bearer <ACCESS_TOKEN>"',
        /^bearer +\S/i.test(authorization),
      );
    }
    const key = keyOf(token);
    const known = recall(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const checking = check(key, token).finally(() => underWay.delete(key));
    underWay.set(key, checking);
    return checking;
  };

  return {
    authenticate,
    recall(authorization) {
      const token = tokenOf(authorization);
      return token === undefined ? undefined : recall(keyOf(token));
    },
  };
}

function tokenOf(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

/** A digest, so that no token stays in memory and all keys have the same length. */
function keyOf(token: string): string {
  return hash('sha256', token, 'base64');
}

function refuse(reason: string): Unauthenticated {
  return new Unauthenticated(`The bearer token was refused: ${reason}; request a new one`);
}
