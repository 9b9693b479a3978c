// Roles of operators. Each role may do everything that the roles before it may.

export const OPERATOR_ROLES = ['viewer', 'operator', 'admin'] as const;

/**
 * A viewer sees everything except identities; an operator decides; an admin manages clients and keys. Who may see an
 * identity: operator/request/reveal-identity.ts.
 */
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export function includesRole(role: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);
}
