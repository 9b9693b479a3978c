// The operator on whose behalf a call of the operator API is made. Never a controller: the two are separate.
import type { OperatorRole } from '../../domain/operator/role.ts';

export type { OperatorRole } from '../../domain/operator/role.ts';

export interface Operator {
  /** The name in the audit log, after `operator:`. */
  readonly name: string;
  readonly role: OperatorRole;
  /** A person at the console, or a script. */
  readonly by: 'session' | 'client';
  /** The id of the session or the client; not secret. */
  readonly id: string;
}

/** A valid session, and its end. */
export interface OperatorSession {
  readonly operator: Operator;
  /** The session ends then in any case. */
  readonly expires: number;
  /** The session ends then unless it is used before. */
  readonly idleExpires: number;
}

/** Both functions return undefined for unknown, expired, ended and forged values, without saying which. */
export interface OperatorAuthentication {
  /** Looks up the session by the value of its cookie. `isUse`: a person is active, so the session is not idle. */
  session(secret: string, isUse: boolean): Promise<OperatorSession | undefined>;
  client(token: string): Promise<Operator | undefined>;
}

/** The actor of audit rows, in the same form as the command line writes it. */
export function actorOf({ name }: Pick<Operator, 'name'>): string {
  return `operator:${name}`;
}
