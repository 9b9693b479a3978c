// Reads role and name from the claims of an issuer: the role by the operator's own mapping, the name for the
// audit log.
import { OPERATOR_NAME } from '../../../domain/operator/operator-name.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../../domain/operator/role.ts';
import { hasRole, readClaim } from '../../sso/claims.ts';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * The claim from the first place that has it. An email address that the issuer has not verified is ignored: people
 * may be able to write any address into their profile.
 */
export function claimIn(places: readonly Claims[], name: string): unknown {
  const place = places.find((claims) => readClaim(claims, name) !== undefined);
  if (place === undefined || (name === 'email' && place.email_verified !== true)) return undefined;
  return readClaim(place, name);
}

/** The highest role that the mapping gives to any of the claim's values. */
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
