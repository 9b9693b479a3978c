// A key that signs access tokens, as plain data: never the key itself.
import type { StoredSigningKey } from '../../domain/keys/secret-ports.ts';
import { isoTime } from '../iso-time.ts';

export function signingKeyShape(
  key: Pick<StoredSigningKey, 'kid' | 'createdTime' | 'retiredTime' | 'revokedTime'>,
) {
  return {
    kid: key.kid,
    created_time: isoTime(key.createdTime),
    retired_time: isoTime(key.retiredTime),
    revoked_time: isoTime(key.revokedTime),
  };
}
