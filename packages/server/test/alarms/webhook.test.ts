import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { testMessage } from '../../src/alarms/alarm-message.ts';
import { testOf } from '../../src/alarms/send-alarm.ts';
import { type AlarmFormat, writeAlarm } from '../../src/alarms/write-alarm.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Got {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function listen(status: number, headers: Record<string, string> = {}) {
  const got: Got[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(status, headers).end('x'.repeat(100_000));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/alarms`, got };
}

interface Given {
  readonly secret?: string;
  readonly format?: AlarmFormat;
  readonly allowPrivate?: boolean | readonly string[];
}

async function sendTest(url: string, { secret, format = 'json', allowPrivate }: Given = {}) {
  const webhook = { url, secret, format, allowPrivate: allowPrivate ?? ['127.0.0.1'] };
  const send = testOf({ webhook, mail: undefined, console: 'https://privacy.example' });
  const [posted] = (await send?.(Date.now())) ?? [];
  return posted;
}

describe('a post to the webhook', () => {
  it('is JSON, signed as the Standard Webhooks specification has it', async () => {
    const { url, got } = await listen(202);
    const posted = await sendTest(url, { secret: SECRET });
    expect(posted).toEqual({ ok: true, answer: 'the webhook answered 202' });
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({
      kind: 'test',
      link: 'https://privacy.example/console/alarms',
    });
    expect(headers['content-type']).toBe('application/json');
  });

  it('is not signed without a secret', async () => {
    const { url, got } = await listen(200);
    await sendTest(url);
    expect(got[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('does not follow a redirect', async () => {
    const { url, got } = await listen(307, { location: '/elsewhere' });
    const posted = await sendTest(url);
    expect(posted).toEqual({ ok: false, reason: 'it answered 307 instead of 2xx' });
    expect(got).toHaveLength(1);
  });

  it('says in our words what went wrong', async () => {
    const { url } = await listen(500);
    expect(await sendTest(url)).toEqual({
      ok: false,
      reason: 'it answered 500 instead of 2xx',
    });
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    expect(await sendTest(url)).toEqual({
      ok: false,
      reason: expect.stringMatching(`${new URL(url).host} cannot be reached \\(ECONNREFUSED\\)`),
    });
  });

  it.each([
    [false, /is not a public address; .* list it under webhooks.allow_private/],
    [['10.0.0.0/8'], /is not a public address/],
  ])('goes to a private address only if that is allowed (%j)', async (allowPrivate, reason) => {
    const { url, got } = await listen(200);
    const posted = await sendTest(url, { allowPrivate });
    expect(posted).toEqual({ ok: false, reason: expect.stringMatching(reason) });
    expect(got).toHaveLength(0);
  });

  it('reads as text in Slack, as a card in Teams, and as plain text', async () => {
    const { url, got } = await listen(200);
    for (const format of ['slack', 'teams', 'text'] as const) await sendTest(url, { format });
    const [slack, teams, text] = got.map(({ body }) => body);
    expect(JSON.parse(slack ?? '')).toEqual({
      text: '*Unwrite: test*\nthis is a test: alarms would arrive here\n<https://privacy.example/console/alarms|Open in the console>',
    });
    expect(JSON.parse(teams ?? '')).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', body: [{ text: 'Unwrite: test' }, {}] },
        },
      ],
    });
    expect(text).toBe(
      'Unwrite: test\n\nthis is a test: alarms would arrive here\n\nhttps://privacy.example/console/alarms\n',
    );
    expect(got[2]?.headers['content-type']).toBe('text/plain; charset=utf-8');
  });
});

describe('an alarm for Slack', () => {
  it('cannot mention a channel', () => {
    const message = { ...testMessage(0, 'https://privacy.example'), message: '<!channel> & you' };
    expect(JSON.parse(writeAlarm(message, 'slack').body).text).toContain(
      '&lt;!channel&gt; &amp; you',
    );
  });
});
