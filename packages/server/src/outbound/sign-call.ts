// The one signature of everything that is sent to the operator's own systems, as the Standard Webhooks specification has
// it, so that receivers can use its libraries: https://www.standardwebhooks.com
import { createHmac } from 'node:crypto';

/** What is left of a secret of the form whsec_…: base64 of 24 to 64 bytes. */
const PREFIX = 'whsec_';

/** `id`: the same for every attempt to send a message. `time`: milliseconds; receivers refuse old calls by it. */
export function signCall(
  secret: string,
  id: string,
  body: Uint8Array | string,
  time: number,
): Record<string, string> {
  const seconds = String(Math.floor(time / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` };
}
