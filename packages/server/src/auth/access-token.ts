// Our own access tokens (RFC 9068), issued and checked as RFC 8725 requires: one algorithm, one type, only our
// own keys, and nothing used from the header except the kid.
import { randomUUID, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../domain/clock.ts';
import { type ControllerId, isControllerId } from '../domain/tenant/controller-id.ts';
import type { ParsedJwt } from './jwt.ts';
import type { SigningKeys } from './signing-keys.ts';

const signInPool = promisify(sign);

const ALGORITHM = 'ES256';
const TYPE = 'at+jwt';

export interface TokenSubject {
  readonly clientId: string;
  readonly controllerId: ControllerId;
  /** The secret that the token was issued for, so that revoking it ends the token; null if an operator took it. */
  readonly secretId: string | null;
}

export interface VerifiedToken extends TokenSubject {
  readonly kid: string;
  readonly expiresAt: number;
}

export interface AccessTokens {
  /** Signs off the event loop: a signature takes as long as two whole status reads. */
  issue(subject: TokenSubject): Promise<{ accessToken: string; expiresIn: number }>;
  /** The reason for refusing is for the log and the 401; it contains no part of the token. */
  verify(jwt: ParsedJwt): Promise<VerifiedToken | { readonly refused: string }>;
}

export interface AccessTokenOptions {
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly issuer: string;
  readonly audience: string;
  readonly lifetimeSeconds: number;
}

export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { keys, clock, issuer, audience, lifetimeSeconds } = options;

  return {
    async issue({ clientId, controllerId, secretId }) {
      const { kid, privateKey } = await keys.current();
      const now = Math.floor(clock() / 1000);
      const signed = `${encode({ alg: ALGORITHM, typ: TYPE, kid })}.${encode({
        iss: issuer,
        aud: audience,
        sub: clientId,
        client_id: clientId,
        controller_id: controllerId,
        ...(secretId === null ? {} : { secret_id: secretId }),
        iat: now,
        exp: now + lifetimeSeconds,
        jti: randomUUID(),
      })}`;
      const signature = await signInPool('sha256', Buffer.from(signed), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      });
      return {
        accessToken: `${signed}.${signature.toString('base64url')}`,
        expiresIn: lifetimeSeconds,
      };
    },

    async verify({ header, claims, signed, signature }) {
      const { alg, typ, kid, ...others } = header;
      if (alg !== ALGORITHM || typ !== TYPE || typeof kid !== 'string') {
        return { refused: 'it is not an access token of this service' };
      }
      if (Object.keys(others).length > 0) return { refused: 'its header has unexpected fields' };
      const key = await keys.verifying(kid);
      if (key === undefined) return { refused: 'its signing key is unknown or no longer valid' };
      const options = { key, dsaEncoding: 'ieee-p1363' } as const;
      if (!verify('sha256', Buffer.from(signed), options, signature)) {
        return { refused: 'its signature is wrong' };
      }
      if (claims.iss !== issuer) return { refused: 'its issuer is not this service' };
      if (!isAudience(claims.aud)) return { refused: `its audience must be ${audience}` };
      return checkTimes(claims, kid);
    },
  };

  function isAudience(aud: unknown): boolean {
    return aud === audience || (Array.isArray(aud) && aud.includes(audience));
  }

  function checkTimes(
    { exp, nbf, client_id, controller_id, secret_id }: Record<string, unknown>,
    kid: string,
  ): VerifiedToken | { readonly refused: string } {
    const now = clock() / 1000;
    if (typeof exp !== 'number' || exp <= now) return { refused: 'it has expired' };
    if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now)) {
      return { refused: 'it is not valid yet' };
    }
    if (
      typeof client_id !== 'string' ||
      typeof controller_id !== 'string' ||
      !isControllerId(controller_id)
    ) {
      return { refused: 'it names no client and controller' };
    }
    return {
      clientId: client_id,
      controllerId: controller_id,
      secretId: typeof secret_id === 'string' ? secret_id : null,
      kid,
      expiresAt: exp * 1000,
    };
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
