import type { StoredSession } from './sign-in-ports.ts';

export interface SessionLimits {
  readonly idleMs: number;
  /** Of the single sign-on that is configured; sessions by another one are over. */
  readonly basis: string | null;
}

/** Whether a session still signs somebody in. */
export function isInForce(
  session: Pick<StoredSession, 'expiresTime' | 'usedTime' | 'way' | 'basis'>,
  { idleMs, basis }: SessionLimits,
  now: number,
): boolean {
  return (
    now < session.expiresTime &&
    now < session.usedTime + idleMs &&
    (session.way !== 'sso' || session.basis === basis)
  );
}
