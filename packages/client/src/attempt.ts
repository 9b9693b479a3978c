// One HTTP request: an answer, or what went wrong below HTTP.
import { type RawAnswer, rawAnswer } from './answer.ts';

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export type Attempt =
  | { readonly outcome: 'answer'; readonly answer: RawAnswer }
  | {
      readonly outcome: 'no answer';
      readonly reason: string;
      /** False only where it is certain that the request did not reach the processor. */
      readonly maybeArrived: boolean;
    }
  | { readonly outcome: 'too large' };

/** Failures before the first byte of a request is sent. Others may have come after the processor had it. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|(DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|CERT_\w+)$/;

/** Rejects only with the reason of the signal. */
export async function attemptOnce(
  fetch: typeof globalThis.fetch,
  request: HttpRequest,
  limits: AttemptLimits,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, limits.timeoutMs);
  const stop = () => controller.abort();
  signal?.addEventListener('abort', stop);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: { ...request.headers },
      // Bytes too: the types of platforms do not agree on a name for both.
      body: (request.body ?? null) as string | null,
      // Never followed: a token must not go to another place.
      redirect: 'manual',
      signal: controller.signal,
    });
    const bytes = await readCapped(response, limits.maxBytes);
    if (bytes === undefined) return { outcome: 'too large' };
    return { outcome: 'answer', answer: rawAnswer(response.status, response.headers, bytes) };
  } catch (error) {
    signal?.throwIfAborted();
    if (isLate) return { outcome: 'no answer', reason: 'timeout', maybeArrived: true };
    const reason = codeOf(error);
    return { outcome: 'no answer', reason, maybeArrived: !BEFORE_SENDING.test(reason) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function readCapped(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) break;
    size += value.length;
    if (size > maxBytes) {
      await reader?.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Only codes: messages of others may hold anything. */
function codeOf(error: unknown): string {
  for (let it: unknown = error, depth = 0; depth < 5; depth++) {
    if (typeof it !== 'object' || it === null) break;
    const { code, cause, errors } = it as { code?: unknown; cause?: unknown; errors?: unknown[] };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
    it = cause ?? errors?.[0];
  }
  return 'network failure';
}
