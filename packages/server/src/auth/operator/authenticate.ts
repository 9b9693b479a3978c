// Sessions and tokens of operators are looked up in the store on every call: what was ended or revoked on one
// node is over on all nodes at once.
import type { Clock } from '../../domain/clock.ts';
import { endOfSession, isInForce, type SessionLimits } from '../../domain/operator/in-force.ts';
import type { OperatorStore } from '../../domain/operator/sign-in-ports.ts';
import type { Operator, OperatorAuthentication } from './operator.ts';
import { SECRET_FORM, TOKEN_FORM } from './secrets.ts';

/** The use of a session is recorded at most this often. */
const WRITE_USE_MS = 60_000;

export interface OperatorAuthenticationOptions {
  readonly store: Pick<OperatorStore, 'session' | 'useSession' | 'client'>;
  readonly clock: Clock;
  readonly limits: SessionLimits;
}

export function createOperatorAuthentication(
  options: OperatorAuthenticationOptions,
): OperatorAuthentication {
  const { store, clock, limits } = options;
  const { idleMs } = limits;
  const writeUseMs = Math.min(WRITE_USE_MS, idleMs / 10);

  return {
    async session(secret, isUse) {
      if (!SECRET_FORM.test(secret)) return undefined;
      const session = await store.session(secret);
      const now = clock();
      if (session === undefined || !isInForce(session, limits, now)) return undefined;
      const isWritten = !isUse || now - session.usedTime < writeUseMs;
      // If the store can be read but not written, people must not be signed out.
      if (!isWritten) await store.useSession(secret, session, now).catch(() => undefined);
      const { sessionId: id, name, role, usedTime } = session;
      const expires = endOfSession(session, limits);
      return {
        operator: { name, role, by: 'session', id },
        expires,
        idleExpires: Math.min(expires, (isUse ? now : usedTime) + idleMs),
      };
    },
    async client(token): Promise<Operator | undefined> {
      if (!TOKEN_FORM.test(token)) return undefined;
      const client = await store.client(token);
      if (client === undefined || client.revokedTime !== null) return undefined;
      if (client.expiresTime !== null && client.expiresTime <= clock()) return undefined;
      const { clientId: id, name, role } = client;
      // The prefix ensures that no script has the name of a person.
      return { name: `client:${name}`, role, by: 'client', id };
    },
  };
}
