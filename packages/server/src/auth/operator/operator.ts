// On whose behalf a call of the operator API is made. Never a controller: the two have nothing in common.
import type { OperatorRole } from '../../domain/operator/role.ts';

export type { OperatorRole } from '../../domain/operator/role.ts';

export interface Operator {
  /** As it stands in the audit log, after `operator:`. */
  readonly name: string;
  readonly role: OperatorRole;
  /** A person at the console, or a script. */
  readonly by: 'session' | 'client';
  /** Of the session or the client: not secret. */
  readonly id: string;
}

/** A session that is in force, and until when. */
export interface OperatorSession {
  readonly operator: Operator;
  /** Whatever is done with it. */
  readonly expires: number;
  /** Unless it is used before. */
  readonly idleExpires: number;
}

/** Both answer undefined for what is unknown, expired, ended or forged, and do not say which. */
export interface OperatorAuthentication {
  /** By what its cookie holds. `isUse`: a person does something, so the session is not idle. */
  session(secret: string, isUse: boolean): Promise<OperatorSession | undefined>;
  client(token: string): Promise<Operator | undefined>;
}

/** The actor of audit rows, as the command line writes it. */
export function actorOf({ name }: Pick<Operator, 'name'>): string {
  return `operator:${name}`;
}
