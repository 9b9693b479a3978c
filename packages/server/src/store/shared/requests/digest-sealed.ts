// A digest of the sealed bytes of identities that were added to a request, for the audit log: it reveals
// nothing about them, and stays the same when master keys rotate.
import { hash } from 'node:crypto';

const DIGITS = 32;

export function digestSealed(sealed: Uint8Array): string {
  return hash('sha256', sealed, 'hex').slice(0, DIGITS);
}
