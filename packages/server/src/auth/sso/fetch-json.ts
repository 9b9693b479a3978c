// A small, careful GET: https (http on loopback alone), no redirects, capped in time and size.
import { isSecureAddress } from '../../domain/tenant/sso-issuer.ts';

const TIMEOUT_MS = 5000;
const MAX_BYTES = 1_048_576;

export async function fetchJson(address: string): Promise<Record<string, unknown>> {
  const url = new URL(address);
  if (!isSecureAddress(url)) throw new Error(`${url.origin} is not https`);
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${url.origin} answered ${response.status}`);
  const value: unknown = JSON.parse(await readText(response));
  if (typeof value !== 'object' || value === null)
    throw new Error(`${url.origin} did not send a JSON object`);
  return value as Record<string, unknown>;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
