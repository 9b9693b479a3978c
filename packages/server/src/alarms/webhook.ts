// Posts to an address that the operator has configured: no redirects, and only the status of the answer counts.
import { hostAndPort } from '../domain/host-and-port.ts';
import { CallFailed } from '../outbound/call-failed.ts';
import { lateAnswer } from '../outbound/connection-failure.ts';
import { exchange } from '../outbound/exchange.ts';
import { type Allowed, createAddressRule, lookUp } from '../outbound/reachable-addresses.ts';
import { signCall } from '../outbound/sign-call.ts';
import { withDeadline } from '../outbound/with-deadline.ts';

const TIMEOUT_MS = 10_000;

export interface Webhook {
  readonly url: string;
  readonly secret: string | undefined;
  readonly allowPrivate: Allowed['allowPrivate'];
}

export interface WebhookMessage {
  /** The same for every attempt to send it. */
  readonly id: string;
  readonly contentType: string;
  readonly body: string;
}

/** Also of a letter. */
export type Posted =
  /** What was answered, for the person who tests it: our own text. */
  | { readonly ok: true; readonly answer: string }
  /** Our own text: the receiver's answer is not repeated. */
  | { readonly ok: false; readonly reason: string };

export async function postToWebhook(
  { url: address, secret, allowPrivate }: Webhook,
  { id, contentType, body: text }: WebhookMessage,
  now: number,
): Promise<Posted> {
  const url = new URL(address);
  const body = Buffer.from(text);
  const rule = createAddressRule(url, { allowPrivate, setting: 'webhooks.allow_private' });
  const headers = {
    'content-type': contentType,
    'user-agent': 'unwrite',
    ...(secret !== undefined && signCall(secret, id, body, now)),
  };
  try {
    const never = new AbortController().signal;
    const { status } = await withDeadline(
      TIMEOUT_MS,
      never,
      () => lateAnswer(url),
      (signal) => exchange({ method: 'POST', url, headers, body, signal }, rule, lookUp),
    );
    if (status >= 200 && status < 300)
      return { ok: true, answer: `the webhook answered ${status}` };
    return { ok: false, reason: `it answered ${status} instead of 2xx` };
  } catch (error) {
    const where = hostAndPort(address, url.protocol === 'https:' ? 443 : 80) ?? 'it';
    const reason = error instanceof CallFailed ? error.message : `${where} cannot be reached`;
    return { ok: false, reason };
  }
}
