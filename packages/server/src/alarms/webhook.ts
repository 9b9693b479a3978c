// Posts to the operator's webhook: private addresses are allowed, redirects are not followed, and only the
// status of the answer counts.
import { createHmac } from 'node:crypto';
import type { WitnessMessage } from '../domain/audit/witness-ports.ts';
import { hostAndPort } from '../domain/host-and-port.ts';
import type { AlarmMessage } from './alarm-message.ts';

const TIMEOUT_MS = 10_000;

export interface Webhook {
  readonly url: string;
  readonly secret: string | undefined;
}

export type Posted =
  | { readonly ok: true; readonly status: number }
  /** Our own text: the receiver's answer is not repeated. */
  | { readonly ok: false; readonly reason: string };

export async function postAlarm(
  { url, secret }: Webhook,
  message: AlarmMessage | WitnessMessage,
  now: number,
): Promise<Posted> {
  const body = JSON.stringify(message);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'unwrite',
        ...(secret !== undefined && { 'x-unwrite-signature': signatureOf(secret, body, now) }),
      },
      body,
    });
    // The body is not read: it may be of any size.
    await answer.body?.cancel().catch(() => undefined);
    if (answer.ok) return { ok: true, status: answer.status };
    return { ok: false, reason: `it answered ${answer.status} instead of 2xx` };
  } catch (error) {
    return { ok: false, reason: reasonOf(error, url) };
  }
}

/** Signed as for HTTP targets: the signed time lets the receiver refuse replayed calls. */
function signatureOf(secret: string, body: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(body);
  return `t=${seconds},v1=${mac.digest('hex')}`;
}

/** The path of the address may be a secret; host and port are not. */
function reasonOf(error: unknown, url: string): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  const where = hostAndPort(url, url.startsWith('https:') ? 443 : 80) ?? 'it';
  if (name === 'TimeoutError') return `${where} did not answer within ${TIMEOUT_MS / 1000} seconds`;
  const code = typeof cause?.code === 'string' ? cause.code : 'unknown reason';
  return `${where} cannot be reached (${code})`;
}
