import type { VerifySignature } from '../domain/audit/proof-ports.ts';
import { isObject } from '../domain/is-object.ts';
import type { FullReceipt, Receipt } from '../domain/receipt/documents.ts';
import { writeCanonical } from './canonical.ts';

/** Receipts are less deeply nested. */
const MAX_DEPTH = 32;

export type ReceiptVerdict =
  | { readonly ok: true; readonly receipt: Receipt | FullReceipt }
  | { readonly ok: false; readonly problem: string };

/**
 * Strict to the byte: a document with the same meaning but other bytes was changed, and is refused.
 */
export function verifyReceipt(bytes: Uint8Array, verify: VerifySignature): ReceiptVerdict {
  const kinds = ['unwrite receipt', 'unwrite full receipt'];
  const verdict = verifySigned(bytes, kinds, 'a receipt of Unwrite', verify);
  if (!verdict.ok) return verdict;
  return { ok: true, receipt: verdict.document as unknown as Receipt | FullReceipt };
}

export type SignedVerdict =
  | { readonly ok: true; readonly document: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** `kinds`: what its member `document` may be; `named`: what that is, in words. */
export function verifySigned(
  bytes: Uint8Array,
  kinds: readonly string[],
  named: string,
  verify: VerifySignature,
): SignedVerdict {
  const text = decode(bytes);
  const parsed = text === undefined ? undefined : parse(text);
  if (parsed === undefined) return refused('it is not a JSON document in UTF-8');
  if (!kinds.some((kind) => kind === parsed.document)) return refused(`it is not ${named}`);
  if (parsed.version !== 1) return refused('it is of a version that this Unwrite does not know');
  const { signature, ...unsigned } = parsed;
  // Indentation would make a document that is both deep and wide a thousand times larger.
  if (isDeeper(parsed, MAX_DEPTH) || writeCanonical({ ...unsigned, signature }) !== text) {
    return refused('it is not byte for byte as it was written: was it reformatted, or edited?');
  }
  if (typeof parsed.key_id !== 'string') return refused('it does not say which key signed it');
  const signed = typeof signature === 'string' ? Buffer.from(signature, 'base64') : undefined;
  // Several texts decode to the same bytes; only the one that Unwrite writes is accepted.
  if (signed === undefined || signed.toString('base64') !== signature) {
    return refused('its signature is not well formed');
  }
  if (!verify(parsed.key_id, Buffer.from(writeCanonical(unsigned)), signed)) {
    return refused('its signature was not made with the given key, or it was changed');
  }
  return { ok: true, document: parsed };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((it) => isDeeper(it, levels - 1));
}

function refused(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
