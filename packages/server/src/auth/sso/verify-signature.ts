// Checks signature, issuer, audience and times of a single sign-on token, as RFC 8725 requires.
import type { JSONWebKeySet, JWTVerifyResult } from 'jose';
import type { ParsedJwt } from '../jwt.ts';
import { Unauthenticated } from '../principal.ts';
import type { IssuerKeys, JwkSet } from './issuer-keys.ts';

/** Asymmetric only: with HS256 anyone who knows the public key could sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const CLOCK_TOLERANCE_S = 10;

/** Headers that would make us trust or fetch what the token itself brings. */
const FORBIDDEN_HEADERS = ['jwk', 'jku', 'x5u', 'crit'];

/** Types of access tokens: RFC 9068, and those of providers that came before it. */
const TYPES = new Set([
  undefined,
  'jwt',
  'at+jwt',
  'application/at+jwt',
  'application/okta-internal-at+jwt',
]);

/** Claims that only an ID token has; `nonce` is also in access tokens of older Keycloaks. */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 's_hash'];

export interface Expected {
  readonly issuer: string;
  readonly audience: string;
}

export async function verifySignature(
  token: string,
  jwt: ParsedJwt,
  expected: Expected,
  keys: IssuerKeys,
  now: number,
): Promise<JWTVerifyResult> {
  const reason = unacceptable(jwt);
  if (reason !== undefined) throw refuse(reason);
  let jwks = await keys.get();
  if (!holdsKey(jwks, jwt.header.kid)) jwks = await keys.get(true);

  const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
  const options = {
    issuer: expected.issuer,
    audience: expected.audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: CLOCK_TOLERANCE_S,
    currentDate: new Date(now),
  };
  try {
    return await jwtVerify(token, createLocalJWKSet(jwks as JSONWebKeySet), options);
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) {
      for await (const key of error) {
        const result = await jwtVerify(token, key, options).catch(() => undefined);
        if (result !== undefined) return result;
      }
    }
    throw refuse(reasonOf(error, expected, errors));
  }
}

function unacceptable({ header, claims }: ParsedJwt): string | undefined {
  if (!ALGORITHMS.includes(String(header.alg))) return 'its algorithm is not accepted';
  if (FORBIDDEN_HEADERS.some((name) => Object.hasOwn(header, name))) {
    return 'its header has keys or extensions of its own';
  }
  const type = typeof header.typ === 'string' ? header.typ.toLowerCase() : header.typ;
  if (!TYPES.has(type as string | undefined)) return 'it is not an access token';
  const isIdToken =
    claims.typ === 'ID' ||
    ID_TOKEN_CLAIMS.some((name) => Object.hasOwn(claims, name)) ||
    (Object.hasOwn(claims, 'nonce') && claims.typ !== 'Bearer' && type !== 'at+jwt');
  return isIdToken ? 'it is an ID token; send the access token' : undefined;
}

function holdsKey(jwks: JwkSet, kid: unknown): boolean {
  return kid === undefined || jwks.keys.some((key) => key.kid === kid);
}

function reasonOf(
  error: unknown,
  { audience }: Expected,
  errors: typeof import('jose').errors,
): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'nbf') return 'it is not valid yet';
    return error.claim === 'aud'
      ? `its audience must be ${audience}`
      : `its claim "${error.claim}" is missing or wrong`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return 'its signing key is not known';
  return 'its signature is wrong';
}

function refuse(reason: string): Unauthenticated {
  return new Unauthenticated(`The bearer token was refused: ${reason}; log in again`);
}
