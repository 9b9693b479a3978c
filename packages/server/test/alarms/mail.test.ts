import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testOf } from '../../src/alarms/send-alarm.ts';
import { CERTIFICATE, KEY } from '../connectors/http/localhost-certificate.ts';

let server: SMTPServer | undefined;

let trusted: string[];
beforeAll(() => {
  trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, CERTIFICATE]);
});
afterAll(() => setDefaultCACertificates(trusted));
afterEach(() => new Promise<void>((resolve) => (server ? server.close(resolve) : resolve())));

async function listen(options: SMTPServerOptions = {}) {
  const got: { to: string[]; text: string; isSecure: boolean }[] = [];
  server = new SMTPServer({
    cert: CERTIFICATE,
    key: KEY,
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'unwrite' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('no such user: unwrite')),
    async onData(stream, session, done) {
      let text = '';
      for await (const chunk of stream) text += chunk;
      const to = session.envelope.rcptTo.map(({ address }) => address);
      got.push({ to, text, isSecure: session.secure });
      done();
    },
    ...options,
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, got };
}

async function sendTest(address: string) {
  const mail = {
    server: address,
    from: 'Unwrite <unwrite@shop.example>',
    to: ['a@x.example', 'b@x.example'],
  };
  const send = testOf({ webhook: undefined, mail, console: 'https://privacy.example' });
  const [posted] = (await send?.(Date.parse('2026-11-15T02:00:00Z'))) ?? [];
  return posted;
}

describe('an alarm by e-mail', () => {
  it('has its title as subject, and a link to the console', async () => {
    const { port, got } = await listen({ disabledCommands: ['STARTTLS'] });
    expect(await sendTest(`smtp://localhost:${port}`)).toEqual({
      ok: true,
      answer: `localhost:${port} accepted the message`,
    });
    const [{ to, text } = { to: [], text: '' }] = got;
    expect(to).toEqual(['a@x.example', 'b@x.example']);
    expect(text).toContain('Subject: Unwrite: test');
    expect(text).toContain('From: Unwrite <unwrite@shop.example>');
    expect(text).toContain('Auto-Submitted: auto-generated');
    expect(text).toMatch(/Message-ID: <alarm_test_\d+@shop\.example>/i);
    expect(text).toContain('https://privacy.example/console/alarms');
  });

  it('is sent with the password after STARTTLS, or over TLS', async () => {
    const first = await listen();
    expect(await sendTest(`smtp://unwrite:p%40ss@localhost:${first.port}`)).toMatchObject({
      ok: true,
    });
    expect(first.got[0]?.isSecure).toBe(true);
    await new Promise<void>((resolve) => server?.close(resolve));
    const second = await listen({ secure: true });
    expect(await sendTest(`smtps://unwrite:p%40ss@localhost:${second.port}`)).toMatchObject({
      ok: true,
    });
  });

  it('does not send a password without TLS', async () => {
    const { port, got } = await listen({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    expect(await sendTest(`smtp://unwrite:p%40ss@localhost:${port}`)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('could not set up TLS'),
    });
    expect(got).toEqual([]);
  });

  it('says in our words what was refused', async () => {
    const { port } = await listen({
      onRcptTo: ({ address }, _, done) => done(new Error(`no mailbox ${address}`)),
    });
    const refused = await sendTest(`smtp://localhost:${port}`);
    expect(refused).toMatchObject({
      ok: false,
      reason: expect.stringContaining('refused the sender or the addresses'),
    });
    const wrong = await sendTest(`smtp://unwrite:wrong@localhost:${port}`);
    expect(wrong).toMatchObject({
      ok: false,
      reason: expect.stringContaining('refused the user name and password'),
    });
    expect(JSON.stringify([refused, wrong])).not.toMatch(/x\.example|no such user|wrong/);
    await new Promise<void>((resolve) => server?.close(resolve));
    expect(await sendTest(`smtp://localhost:${port}`)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('cannot be reached'),
    });
  });
});
