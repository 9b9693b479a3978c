import type { StoredSession } from './sign-in-ports.ts';

/** Limits of the current settings. They also apply to sessions that began under other settings. */
export interface SessionLimits {
  readonly idleMs: number;
  readonly lifetimeMs: number;
  /** Digest of the configured single sign-on; sessions that began under another one are over. */
  readonly basis: string | null;
  /** Whether sign-in links are enabled; if not, sessions that began with one are over. */
  readonly links: boolean;
}

/** When a session ends even if it is used. A longer lifetime does not extend open sessions. */
export function endOfSession(
  { createdTime, expiresTime }: Pick<StoredSession, 'createdTime' | 'expiresTime'>,
  { lifetimeMs }: Pick<SessionLimits, 'lifetimeMs'>,
): number {
  return Math.min(expiresTime, createdTime + lifetimeMs);
}

/** Whether a session is still valid. */
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
