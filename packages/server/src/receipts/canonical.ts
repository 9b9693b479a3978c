// The one way in which a receipt is written. Whatever else says the same is not that receipt.
import { createHash } from 'node:crypto';
import type { ProofSigner } from '../domain/proof-ports.ts';
import type { Receipt } from '../domain/receipt.ts';

export type UnsignedReceipt = Omit<Receipt, 'signature'>;

export function writeCanonical(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Signed are the bytes of the same document without its last member. */
export function signReceipt(unsigned: UnsignedReceipt, signer: ProofSigner): string {
  const signature = signer.sign(Buffer.from(writeCanonical(unsigned)));
  return writeCanonical({ ...unsigned, signature: Buffer.from(signature).toString('base64') });
}

export function hashDocument(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}
