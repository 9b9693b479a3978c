// Reads role and name from the claims of an issuer: the role by the operator's own mapping, the name for the
// audit log.
import { OPERATOR_NAME } from '../../../domain/operator/operator-name.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../../domain/operator/role.ts';
import { hasRole, readClaim } from '../../sso/claims.ts';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * From the first place that has it. An address that the issuer does not vouch for is none: people may be able to write
 * any into their own profile.
 */
export function claimIn(places: readonly Claims[], name: string): unknown {
  const place = places.find((claims) => readClaim(claims, name) !== undefined);
  if (place === undefined || (name === 'email' && place.email_verified !== true)) return undefined;
  return readClaim(place, name);
}

/** The highest that one of the claim's values means. */
export function roleOf(
  claim: unknown,
  mapping: Readonly<Record<OperatorRole, readonly string[]>> | undefined,
): OperatorRole | undefined {
  return OPERATOR_ROLES.toReversed().find((role) =>
    mapping?.[role].some((value) => hasRole(claim, value)),
  );
}

export function nameOf(claim: unknown, subject: string): string {
  if (typeof claim === 'string' && OPERATOR_NAME.test(claim)) return claim;
  if (OPERATOR_NAME.test(subject)) return subject;
  return `subject ${Buffer.from(subject).toString('hex').slice(0, 80)}`;
}
