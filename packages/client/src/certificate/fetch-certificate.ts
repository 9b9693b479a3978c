import { attemptOnce } from '../attempt.ts';
import { NotVerifiedError } from '../verify/not-verified.ts';

/** A chain of eight certificates has about 20 kB. */
const MAX_BYTES = 65_536;
const TIMEOUT_MS = 10_000;

/** By https alone, at most 64 kB, without following redirects. The text is not checked. */
export async function fetchCertificate(
  url: string | URL,
  options: { readonly signal?: AbortSignal; readonly fetch?: typeof globalThis.fetch } = {},
): Promise<string> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new NotVerifiedError('the address of the certificate must begin with https:');
  }
  const attempt = await attemptOnce(
    options.fetch ?? globalThis.fetch,
    { url: String(url), method: 'GET', headers: { accept: 'application/x-pem-file, */*' } },
    { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
    options.signal,
  );
  if (attempt.outcome === 'too large') {
    throw new NotVerifiedError(`the certificate has more than ${MAX_BYTES} bytes`);
  }
  if (attempt.outcome === 'no answer') {
    throw new NotVerifiedError(`the certificate cannot be fetched (${attempt.reason})`);
  }
  if (attempt.answer.status !== 200) {
    throw new NotVerifiedError(
      `the certificate cannot be fetched: its address answers ${attempt.answer.status}`,
    );
  }
  return new TextDecoder().decode(attempt.answer.bytes);
}
