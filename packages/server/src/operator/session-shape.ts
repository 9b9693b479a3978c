import type { StoredSession } from '../domain/operator/sign-in-ports.ts';
import { isoTime } from './iso-time.ts';

export function sessionShape(session: StoredSession) {
  const { sessionId, name, role, way, browser, createdTime, usedTime, expiresTime } = session;
  return {
    ...{ session_id: sessionId, name, role, way, browser },
    created_time: isoTime(createdTime),
    used_time: isoTime(usedTime),
    expires_time: isoTime(expiresTime),
  };
}
