// Who somebody is by the claims of an issuer: a role by the operator's own mapping, and a name for the audit log.
import { OPERATOR_ROLES, type OperatorRole } from '../../../domain/operator/role.ts';
import { hasRole, readClaim } from '../../sso/claims.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** As for --as at the command line; `client:` is for scripts. */
const NAME = /^(?!client:)[^\p{Cc}\s](?:[^\p{Cc}]{0,98}[^\p{Cc}\s])?$/u;

/** The highest that one of the claim's values means. */
export function roleOf(
  claims: Claims,
  roleClaim: string,
  mapping: Readonly<Record<OperatorRole, readonly string[]>> | undefined,
): OperatorRole | undefined {
  const claim = readClaim(claims, roleClaim);
  return OPERATOR_ROLES.toReversed().find((role) =>
    mapping?.[role].some((value) => hasRole(claim, value)),
  );
}

/** An address that the issuer does not vouch for could be anybody's. */
export function nameOf(claims: Claims, nameClaim: string): string {
  const named = readClaim(claims, nameClaim);
  const isVouchedFor = nameClaim !== 'email' || claims.email_verified !== false;
  if (typeof named === 'string' && NAME.test(named) && isVouchedFor) return named;
  const subject = String(claims.sub);
  return NAME.test(subject)
    ? subject
    : `subject ${Buffer.from(subject).toString('hex').slice(0, 40)}`;
}
