import { endOfSession, type SessionLimits } from '../domain/operator/in-force.ts';
import type { StoredSession } from '../domain/operator/sign-in-ports.ts';
import { isoTime } from './iso-time.ts';

export function sessionShape(session: StoredSession, limits: SessionLimits) {
  const { sessionId, name, role, way, browser, createdTime, usedTime } = session;
  return {
    session_id: sessionId,
    name,
    role,
    way,
    browser,
    created_time: isoTime(createdTime),
    used_time: isoTime(usedTime),
    expires_time: isoTime(endOfSession(session, limits)),
  };
}
