import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeAuthority } from '../../helpers/http/certificates.ts';
import { useInstallation } from '../use-installation.ts';

const installation = useInstallation();

/** Something else on the port of the server, that answers every call with this. */
async function answering<T>(status: number, body: string, work: () => Promise<T>): Promise<T> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  const { port } = installation.options();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  try {
    return await work();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('unwrite health', () => {
  it('fails where no server answers, and says where it looked', async () => {
    const { exitCode, stderr } = await installation.unwrite('health');
    const { port } = installation.options();
    expect([exitCode, stderr]).toEqual([
      1,
      `unwrite: no server answers at 127.0.0.1:${port} (ECONNREFUSED); is it running, with these settings?\n`,
    ]);
  });

  it('fails with the reasons of a server that is not ready', () =>
    answering(503, '{"reasons":["the database is read-only"]}', async () => {
      const { exitCode, stderr } = await installation.unwrite('health');
      expect([exitCode, stderr]).toEqual([1, 'unwrite: not ready: the database is read-only\n']);
    }));

  it.each(['no JSON', '{"reasons":7}', 'null'])('fails where the answer is %s', (text) =>
    answering(503, text, async () => {
      expect(await installation.unwrite('health')).toMatchObject({ exitCode: 1 });
    }),
  );

  it('asks on loopback where the server listens on all addresses', async () => {
    const server = await installation.serve('--host', '0.0.0.0');
    try {
      const { exitCode, stdout } = await installation.unwrite('health', '--host', '0.0.0.0');
      expect([exitCode, stdout]).toEqual([0, 'ready\n']);
    } finally {
      await server.kill('SIGTERM');
    }
  });

  it('asks by TLS where the server has a certificate, for whatever name that is', async () => {
    const { certificate, key } = makeAuthority('authority').issue('unwrite.example.com');
    const file = (name: string) => join(installation.folder(), name);
    writeFileSync(file('tls.pem'), certificate);
    writeFileSync(file('tls.key'), key, { mode: 0o600 });
    const tls = ['--tls-certificate', file('tls.pem'), '--tls-key', file('tls.key')];
    const server = await installation.serve(...tls);
    try {
      expect(await installation.unwrite('health', ...tls)).toMatchObject({ exitCode: 0 });
      expect(await installation.unwrite('health')).toMatchObject({ exitCode: 1 });
    } finally {
      await server.kill('SIGTERM');
    }
  });
});
