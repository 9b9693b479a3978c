// Names a set of identities that was added to a request in the audit log: a digest of the sealed bytes, which tells nothing of
// what is in them and stays the same when master keys rotate.
import { createHash } from 'node:crypto';

const DIGITS = 32;

export function digestSealed(sealed: Uint8Array): string {
  return createHash('sha256').update(sealed).digest('hex').slice(0, DIGITS);
}
