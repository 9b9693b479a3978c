// What an operator may do: each role may do what those before it may.

export const OPERATOR_ROLES = ['viewer', 'operator', 'admin'] as const;

/** viewer sees, without identities; operator decides; admin has clients, keys and reveals identities. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export function includesRole(role: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);
}
