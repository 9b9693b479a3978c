import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { requestBody } from '../../../protocol/test/helpers/request-body.ts';
import { call } from '../helpers/http/api.ts';
import { untilRefused } from '../helpers/servers/server-process.ts';
import { emptyLedger, startLoad } from './load.ts';
import { useServerProcess } from './use-server-process.ts';
import { inspectStore, WHOLE } from './whole-store.ts';

const { server, options, token, startAgain, untilNotReady } = useServerProcess();

describe('a server that gets SIGTERM', () => {
  it('under load turns unready, serves on, keeps all that it acknowledged, and ends with 0', async () => {
    const ledger = emptyLedger();
    const load = startLoad(server().url, await token(), ledger, 16);
    await load.acknowledged(50);

    const ended = server().kill('SIGTERM');
    const notReady = await untilNotReady();
    expect(notReady.status).toBe(503);
    expect(notReady.body.reasons).toEqual(['shutting down']);

    const before = ledger.created.size;
    await load.acknowledged(before + ledger.cancelled.size + 20);
    expect(await ended).toBe(0);
    await load.stop();

    expect(ledger.created.size).toBeGreaterThan(before);
    expect(ledger.unexpected).toEqual([]);
    expect(inspectStore(options().dataDir, 'acme', ledger)).toEqual(WHOLE);
    expect(server().output()).toContain('"stopped"');
  });

  it('answers a request whose body is still on its way when it stops listening', async () => {
    const ledger = emptyLedger();
    const bearer = await token();
    const load = startLoad(server().url, bearer, ledger, 8);
    await load.acknowledged(10);

    const request = requestBody();
    const body = JSON.stringify(request);
    const socket = connect({ host: '127.0.0.1', port: options().port });
    await once(socket, 'connect');
    const head = [
      'POST /requests HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${bearer}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    await new Promise((resolve) =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 50)}`, resolve),
    );

    const ended = server().kill('SIGTERM');
    await untilNotReady();
    await untilRefused(options().port);
    const answer = text(socket);
    socket.write(body.slice(50));
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(await ended).toBe(0);
    await load.stop();

    ledger.created.set(request.subject_request_id as string, ['jane@example.com']);
    expect(inspectStore(options().dataDir, 'acme', ledger)).toEqual(WHOLE);
  });

  it('does not wait forever for a silent connection', async () => {
    const silent = connect({ host: '127.0.0.1', port: options().port });
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    expect(await server().kill('SIGTERM')).toBe(0);
    silent.destroy();
  });

  it('can start again at once, without waiting for a lock', async () => {
    expect(await server().kill('SIGTERM')).toBe(0);
    await startAgain();
    expect((await call(`${server().url}/health/ready`)).status).toBe(200);
  });
});
