import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestBody } from '../../../protocol/test/helpers/request-body.ts';
import { type Credentials, call, getToken } from '../helpers/api.ts';
import { freePort } from '../helpers/free-port.ts';
import {
  createClient,
  type ProcessOptions,
  type ServerProcess,
  startServerProcess,
  untilRefused,
} from '../helpers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { emptyLedger, startLoad } from './load.ts';
import { inspectStore, WHOLE } from './whole-store.ts';

let folder: TemporaryFolder;
let options: ProcessOptions;
let credentials: Credentials;
let server: ServerProcess;

beforeEach(async () => {
  folder = makeTemporaryFolder();
  options = { dataDir: folder.path, port: await freePort() };
  credentials = createClient(options);
  server = await startServerProcess(options);
});
afterEach(async () => {
  await server.kill('SIGKILL');
  folder.remove();
});

/** The answer of the first look at readiness that is not 200. */
async function untilNotReady(): Promise<{ status: number; body: { reasons: string[] } }> {
  for (;;) {
    const answer = await call(`${server.url}/health/ready`);
    if (answer.status !== 200) return answer;
  }
}

describe('a server that gets SIGTERM under load', () => {
  it('turns unready, serves on, keeps all that it acknowledged, and ends with 0', async () => {
    const ledger = emptyLedger();
    const token = await getToken(credentials);
    const load = startLoad(server.url, token, ledger, 16);
    await load.acknowledged(50);

    const ended = server.kill('SIGTERM');
    const notReady = await untilNotReady();
    expect(notReady.status).toBe(503);
    expect(notReady.body.reasons).toEqual(['shutting down']);

    const before = ledger.created.size;
    await load.acknowledged(before + ledger.cancelled.size + 20);
    expect(await ended).toBe(0);
    await load.stop();

    expect(ledger.created.size).toBeGreaterThan(before);
    expect(ledger.unexpected).toEqual([]);
    expect(inspectStore(folder.path, 'acme', ledger)).toEqual(WHOLE);
    expect(server.output()).toContain('"stopped"');
  });

  it('answers a request whose body is still on its way when it stops listening', async () => {
    const ledger = emptyLedger();
    const token = await getToken(credentials);
    const load = startLoad(server.url, token, ledger, 8);
    await load.acknowledged(10);

    const request = requestBody();
    const body = JSON.stringify(request);
    const socket = connect({ host: '127.0.0.1', port: options.port });
    await once(socket, 'connect');
    const head = [
      'POST /requests HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    await new Promise((resolve) =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 50)}`, resolve),
    );

    const ended = server.kill('SIGTERM');
    await untilNotReady();
    await untilRefused(options.port);
    const answer = text(socket);
    socket.write(body.slice(50));
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(await ended).toBe(0);
    await load.stop();

    ledger.created.set(request.subject_request_id as string, ['jane@example.com']);
    expect(inspectStore(folder.path, 'acme', ledger)).toEqual(WHOLE);
  });

  it('does not wait for ever for a connection that says nothing', async () => {
    const silent = connect({ host: '127.0.0.1', port: options.port });
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    expect(await server.kill('SIGTERM')).toBe(0);
    silent.destroy();
  });

  it('is there again at once, without waiting for a lock', async () => {
    expect(await server.kill('SIGTERM')).toBe(0);
    server = await startServerProcess(options);
    expect((await call(`${server.url}/health/ready`)).status).toBe(200);
  });
});
