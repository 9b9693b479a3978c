// HMAC-SHA-256 over the content of a row: without the key, which the master key seals, a valid row cannot be made.
import { type KeyObject, timingSafeEqual } from 'node:crypto';
import {
  AUDIT_MAC_BYTES,
  type ClaimedRow,
  type RowAuthenticator,
} from '../domain/keys/row-macs.ts';
import { createTextHmac } from './text-hmac.ts';

const MAC_BYTES = 32;

export function createRowAuthenticator(key: KeyObject): RowAuthenticator {
  const hmac = createTextHmac(key.export());
  // As JSON, so that different lists never have the same text.
  const macOf = ({ kind, id, fields }: ClaimedRow) => hmac(JSON.stringify([kind, id, ...fields]));
  const lengthOf = ({ kind }: ClaimedRow) => (kind === 'audit row' ? AUDIT_MAC_BYTES : MAC_BYTES);
  /** Reused buffers, one for each length. */
  const scratch = {
    [AUDIT_MAC_BYTES]: Buffer.alloc(AUDIT_MAC_BYTES),
    [MAC_BYTES]: Buffer.alloc(MAC_BYTES),
  };
  return {
    macOf: (row) => Buffer.from(macOf(row).slice(0, lengthOf(row)), 'latin1'),
    isMacOf(row, mac) {
      const right = scratch[lengthOf(row)];
      if (mac?.length !== right.length) return false;
      right.write(macOf(row), 'latin1');
      return timingSafeEqual(right, mac);
    },
  };
}
