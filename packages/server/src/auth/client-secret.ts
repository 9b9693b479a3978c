// Credentials of clients: 256 random bits, shown once, kept as a digest.
import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

export interface NewSecret {
  readonly secretId: string;
  /** Shown once. The prefix lets secret scanners recognise it. */
  readonly secret: string;
  readonly digest: Uint8Array;
}

export function makeSecret(): NewSecret {
  const secret = `unwrite_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { secretId: makeId('sec'), secret, digest: digestSecret(secret) };
}

export function makeClientId(): string {
  return makeId('cli');
}

export function digestSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function makeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
