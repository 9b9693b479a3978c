import { writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { freePort } from '../helpers/free-port.ts';
import { type Authority, makeAuthority } from '../helpers/http/certificates.ts';
import { startServerHere } from '../helpers/servers/server-here.ts';
import type { TestServer } from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

let folder: TemporaryFolder;
let authority: Authority;
let server: TestServer;
let port: number;
const fileOf = (name: string) => `${folder.path}/${name}`;

function install(name: string, time?: number): void {
  const { certificate, key } = authority.issue(name, time);
  writeFileSync(fileOf('tls.crt'), certificate);
  writeFileSync(fileOf('tls.key'), key, { mode: 0o600 });
}

beforeAll(async () => {
  folder = makeTemporaryFolder();
  authority = makeAuthority('authority');
  install('one.example');
  port = await freePort();
  const flags = ['--tls-certificate', fileOf('tls.crt'), '--tls-key', fileOf('tls.key')];
  server = await startServerHere({ dataDir: fileOf('data'), port, flags });
});
afterAll(async () => {
  await server.kill('SIGTERM');
  folder.remove();
});

function ask(path: string, servername: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { port, path, servername, ca: authority.certificate, agent: false as const };
    get({ host: '127.0.0.1', ...options }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

describe('TLS of the server itself', () => {
  it('uses the certificate of the settings', async () => {
    expect(await ask('/health/live', 'one.example')).toBe(200);
    expect(await ask('/requests/x', 'one.example')).toBe(401);
    await expect(ask('/health/live', 'other.example')).rejects.toThrow(/altnames/);
    expect(server.output()).toContain('"public_url":"https://localhost');
  });

  it('takes up another certificate without a restart, and cuts no connection', async () => {
    const held = connect({
      host: '127.0.0.1',
      port,
      servername: 'one.example',
      ca: authority.certificate,
    });
    await new Promise((resolve) => held.once('secureConnect', resolve));
    install('two.example');
    await until(
      () => server.output().includes('the TLS certificate was replaced'),
      () => 'it was not replaced',
    );
    expect(await ask('/health/live', 'two.example')).toBe(200);
    await expect(ask('/health/live', 'one.example')).rejects.toThrow(/altnames/);
    const answer = new Promise<string>((resolve) =>
      held.once('data', (data) => resolve(String(data))),
    );
    held.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await answer).toContain('200 OK');
    held.destroy();
  });

  it('keeps the certificate that it has if the new one cannot be used', async () => {
    writeFileSync(fileOf('tls.key'), authority.issue('three.example').key);
    await until(
      () => server.output().includes('the new TLS certificate cannot be used'),
      () => 'it was not told',
    );
    expect(server.output()).toMatch(/tls.key \(.*\) is not the key of tls.certificate/);
    expect(await ask('/health/live', 'two.example')).toBe(200);
  });

  it.each([
    ['has expired', -7],
    ['is not valid yet', 7],
  ])('keeps the certificate that it has if the new one %s', async (_, days) => {
    const said = () => server.output().split('only","msg":"the new TLS certificate cannot').length;
    const before = said();
    install('four.example', Date.now() + days * 86_400_000);
    await until(
      () => said() > before,
      () => 'it was not told',
    );
    expect(await ask('/health/live', 'two.example')).toBe(200);
    // Whatever it has: another that is valid is taken up.
    install('two.example');
    await until(
      async () => (await ask('/health/live', 'two.example')) === 200,
      () => 'it does not answer',
    );
  });

  it('is refused at start if a file is missing or wrong', async () => {
    const start = async (key: string) =>
      startServerHere({
        dataDir: fileOf('other'),
        port: await freePort(),
        flags: ['--tls-certificate', fileOf('tls.crt'), '--tls-key', fileOf(key)],
      });
    await expect(start('missing.key')).rejects.toThrow(/missing.key cannot be read \(ENOENT\)/);
    await expect(start('tls.crt')).rejects.toThrow(/in PEM/);
  });

  it('needs both a certificate and a key', () => {
    expect(() => loadConfig({ tlsCertificate: 'x' }, {}, folder.path)).toThrow(
      expect.objectContaining({
        problems: ['tls.certificate and tls.key belong together: set both, or none of them'],
      }),
    );
  });
});
