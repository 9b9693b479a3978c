// The canonical form of a receipt. Different bytes with the same meaning are not the same receipt.
import { createHash } from 'node:crypto';
import type { ProofSigner } from '../domain/audit/proof-ports.ts';
import type { FullReceipt, Receipt } from '../domain/receipt/documents.ts';

export type UnsignedReceipt = Omit<Receipt, 'signature'>;
export type UnsignedFullReceipt = Omit<FullReceipt, 'signature'>;

const END = '\n}\n';

export function writeCanonical(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function signReceipt(
  unsigned: UnsignedReceipt | UnsignedFullReceipt,
  signer: ProofSigner,
): string {
  return signDocument(unsigned, signer);
}

/** The signature covers the bytes of the document without its last member. */
export function signDocument(unsigned: object, signer: ProofSigner): string {
  const text = writeCanonical(unsigned);
  const signature = Buffer.from(signer.sign(Buffer.from(text))).toString('base64');
  // The same result as writing the whole document again, but cheaper.
  return `${text.slice(0, -END.length)},\n  "signature": "${signature}"${END}`;
}

export function hashDocument(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}
