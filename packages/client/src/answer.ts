// Answers of a processor: their exact bytes, because those are what it signs.
import { DOMAIN_HEADER, SIGNATURE_HEADER } from '@unwrite/protocol';

/** An answer or a callback, as far as its signature is concerned. */
export interface SignedAnswer {
  /** The body exactly as it came. */
  readonly bytes: Uint8Array;
  /** `X-OpenDSR-Processor-Domain`. */
  readonly domain: string | undefined;
  /** `X-OpenDSR-Signature`. */
  readonly signature: string | undefined;
}

/** Whatever came back, also with an error status. `bytes` is not enumerable: it may hold identities. */
export interface RawAnswer extends SignedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`. */
  readonly requestId: string | undefined;
}

/** A success, and its JSON. */
export interface Answer<Body> extends RawAnswer {
  readonly body: Body;
}

export function rawAnswer(status: number, headers: Headers, bytes: Uint8Array): RawAnswer {
  const answer = {
    status,
    headers,
    domain: headers.get(DOMAIN_HEADER) ?? undefined,
    signature: headers.get(SIGNATURE_HEADER) ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  };
  return withBytes(answer, bytes);
}

export function answerWith<Body>(raw: RawAnswer, body: Body): Answer<Body> {
  return withBytes({ ...raw, body }, raw.bytes);
}

/** The answer to a create contains the request, and a controller must not log that (OpenDSR 7.3). */
function withBytes<T extends object>(answer: T, bytes: Uint8Array): T & { bytes: Uint8Array } {
  return Object.defineProperty(answer, 'bytes', { value: bytes, enumerable: false }) as T & {
    bytes: Uint8Array;
  };
}

export function readObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
