// HMAC-SHA-256 over what a row says: without the key, which the master key seals, no row can be made that fits.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import {
  AUDIT_MAC_BYTES,
  type ClaimedRow,
  type RowAuthenticator,
} from '../domain/keys/row-macs.ts';

export function createRowAuthenticator(key: KeyObject): RowAuthenticator {
  // As JSON: no two different lists have the same text.
  const macOf = ({ kind, id, says }: ClaimedRow) => {
    const mac = createHmac('sha256', key)
      .update(JSON.stringify([kind, id, ...says]))
      .digest();
    return kind === 'audit row' ? mac.subarray(0, AUDIT_MAC_BYTES) : mac;
  };
  return {
    macOf,
    isMacOf(row, mac) {
      const right = macOf(row);
      return mac?.length === right.length && timingSafeEqual(right, mac);
    },
  };
}
