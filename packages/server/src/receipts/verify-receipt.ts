import type { VerifySignature } from '../domain/audit/proof-ports.ts';
import { isObject } from '../domain/is-object.ts';
import type { ClosingStatement, FullReceipt, Receipt } from '../domain/receipt/documents.ts';
import { writeCanonical } from './canonical.ts';

/** Receipts are less deeply nested. */
const MAX_DEPTH = 32;

const DOCUMENTS = ['unwrite receipt', 'unwrite full receipt', 'unwrite closing statement'];

export type ReceiptVerdict =
  | { readonly ok: true; readonly receipt: Receipt | FullReceipt | ClosingStatement }
  | { readonly ok: false; readonly problem: string };

/**
 * Strict to the byte: a document with the same meaning but other bytes was changed, and is refused.
 */
export function verifyReceipt(bytes: Uint8Array, verify: VerifySignature): ReceiptVerdict {
  const text = decode(bytes);
  const parsed = text === undefined ? undefined : parse(text);
  if (parsed === undefined) return refused('it is not a JSON document in UTF-8');
  if (!DOCUMENTS.includes(String(parsed.document))) {
    return refused('it is not a receipt of Unwrite');
  }
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
  return { ok: true, receipt: parsed as unknown as Receipt | FullReceipt | ClosingStatement };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((it) => isDeeper(it, levels - 1));
}

function refused(problem: string): ReceiptVerdict {
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
