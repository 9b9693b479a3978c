import type { StoredSession } from './sign-in-ports.ts';

/** As the settings say now, also for sessions that began under others. */
export interface SessionLimits {
  readonly idleMs: number;
  readonly lifetimeMs: number;
  /** Digest of the configured single sign-on; sessions that began under another one are over. */
  readonly basis: string | null;
  /** Whether sign-in links work; where they do not, sessions by them are over. */
  readonly links: boolean;
}

/** When a session ends, however much it is used. A longer lifetime does not extend those that are open. */
export function endOfSession(
  { createdTime, expiresTime }: Pick<StoredSession, 'createdTime' | 'expiresTime'>,
  { lifetimeMs }: Pick<SessionLimits, 'lifetimeMs'>,
): number {
  return Math.min(expiresTime, createdTime + lifetimeMs);
}

/** Whether a session still signs somebody in. */
export function isInForce(
  session: Pick<StoredSession, 'createdTime' | 'expiresTime' | 'usedTime' | 'way' | 'basis'>,
  limits: SessionLimits,
  now: number,
): boolean {
  return (
    now < endOfSession(session, limits) &&
    now < session.usedTime + limits.idleMs &&
    (session.way === 'sso' ? session.basis === limits.basis : limits.links)
  );
}
