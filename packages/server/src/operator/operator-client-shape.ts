import type { StoredOperatorClient } from '../domain/operator/sign-in-ports.ts';
import { isoTime } from './iso-time.ts';

export function operatorClientShape(client: StoredOperatorClient) {
  const { clientId, name, role, createdTime, expiresTime, revokedTime } = client;
  return {
    client_id: clientId,
    name,
    role,
    created_time: isoTime(createdTime),
    expires_time: isoTime(expiresTime),
    revoked_time: isoTime(revokedTime),
  };
}
