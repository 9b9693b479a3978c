// A receiver of events that hangs, or answers slowly.
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { postToWebhook } from '../../src/alarms/webhook.ts';
import { startEventReceiver } from '../helpers/http/event-receiver.ts';

async function post(answer: (response: ServerResponse) => void) {
  const receiver = await startEventReceiver();
  receiver.answerWith(answer);
  const webhook = { url: receiver.url, secret: undefined, allowPrivate: true };
  const message = { id: 'event_1_1', contentType: 'application/json', body: '{"data":[]}' };
  return postToWebhook(webhook, message, Date.now()).finally(receiver.close);
}

it('that hangs counts as failed after ten seconds', { timeout: 30_000 }, async () => {
  const begun = performance.now();
  expect(await post(() => undefined)).toEqual({
    ok: false,
    reason: expect.stringMatching(/^127\.0\.0\.1:\d+ did not answer in time$/),
  });
  expect(performance.now() - begun).toBeGreaterThan(9000);
});

it('that answers after a second, with a body without end, is believed', async () => {
  const posted = await post((response) => {
    void pause(1000).then(() => response.writeHead(200).write('x'));
  });
  expect(posted).toMatchObject({ ok: true });
});
