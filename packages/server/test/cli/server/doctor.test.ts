import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { storeKinds } from '../../helpers/stores/test-store.ts';
import { useInstallation } from '../use-installation.ts';

interface Line {
  readonly level: string;
  readonly subject: string;
  readonly message: string;
}

describe.each(await storeKinds())('unwrite doctor, on %s', (kind) => {
  const { client, folder, json, options, serve, unwrite } = useInstallation(kind);

  async function examined(...flags: string[]): Promise<Map<string, Line>> {
    const { exitCode, stdout } = await unwrite('doctor', '--json', ...flags);
    const { ok, lines } = JSON.parse(stdout) as { ok: boolean; lines: Line[] };
    expect(exitCode).toBe(ok ? 0 : 1);
    expect(ok).toBe(!lines.some(({ level }) => level === 'problem'));
    return new Map(lines.map((line) => [line.subject, line]));
  }

  it('finds that there is no store, and makes none', async () => {
    for (const _ of [1, 2]) {
      expect((await examined()).get('store')).toMatchObject({
        level: 'problem',
        message: expect.stringContaining('start "unwrite serve" to make one'),
      });
    }
  });

  it('finds nothing wrong with a server that runs, and names what is late or open', async () => {
    await client('acme');
    const server = await serve();
    const fine = await examined();
    for (const subject of ['settings', 'store', 'keys', 'clock', 'server']) {
      expect(fine.get(subject)).toMatchObject({ level: 'ok' });
    }
    expect(fine.get('targets')?.level).toBe('warning');

    mkdirSync(`${folder()}/backups`);
    const flags = ['--backup-every', '1h', '--backup-folder', `${folder()}/backups`];
    expect((await examined(...flags)).get('backups')?.message).toContain('none of this store');
    await json('backup', 'create', '--to', `${folder()}/backups`);
    expect((await examined(...flags)).get('backups')).toMatchObject({ level: 'ok' });

    await json('restored', 'declare');
    expect((await examined()).get('restore')?.message).toContain('unwrite restored review');
    await server.kill('SIGTERM');
    expect((await examined()).get('server')?.message).toContain('none answers at');

    const port = String(await freePort());
    await serve(...flags, '--management-port', port);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const made = /^unwrite_backup_last_timestamp_seconds (\S+)$/m.exec(text)?.[1];
    expect(Date.now() / 1000 - Number(made)).toBeLessThan(600);
    expect(text).toMatch(/^unwrite_backup_interval_seconds \d+$/m);
  });

  it.runIf(kind === 'sqlite')('finds that the store cannot be written', async () => {
    const other = new DatabaseSync(`${options().dataDir}/unwrite.db`);
    other.exec('BEGIN IMMEDIATE');
    expect((await examined()).get('store')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('locked'),
    });
    other.close();
    expect((await examined()).get('store')).toMatchObject({ level: 'ok' });
  });

  it('finds that another program has the port', async () => {
    const other = createServer((_, response) => response.writeHead(404).end('nothing'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect((await examined('--port', String(port))).get('server')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('another program answers'),
    });
    other.close();
  });

  it.runIf(kind === 'sqlite')(
    'says that a restore was interrupted, or a store is damaged',
    async () => {
      const place = `${folder()}/restoring`;
      mkdirSync(place);
      writeFileSync(`${place}/unwrite.db.restoring`, '');
      const interrupted = expect.stringContaining('its restore was interrupted');
      expect((await examined('--data-dir', place)).get('store')?.message).toEqual(interrupted);
      for (const command of ['request list', 'migrate status', 'backup create --to .'])
        expect((await unwrite(...command.split(' '), '--data-dir', place)).stderr).toEqual(
          interrupted,
        );
      const damaged = `${folder()}/damaged`;
      mkdirSync(damaged);
      writeFileSync(`${damaged}/unwrite.db`, 'This is a letter to my aunt. '.repeat(100));
      expect((await examined('--data-dir', damaged)).get('store')?.message).toContain(
        'restore a backup',
      );
    },
  );

  it('reads the certificate and the key of TLS', async () => {
    writeFileSync(`${folder()}/tls.crt`, 'none');
    writeFileSync(`${folder()}/tls.key`, 'none');
    const flags = ['--tls-certificate', `${folder()}/tls.crt`, '--tls-key', `${folder()}/tls.key`];
    expect((await examined(...flags)).get('TLS')).toMatchObject({ level: 'problem' });
    const checked = await unwrite('config', 'check', ...flags);
    expect(checked.exitCode).toBe(78);
    expect(checked.stderr).toContain('tls.crt');
  });
});
