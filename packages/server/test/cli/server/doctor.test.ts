import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { storeKinds } from '../../helpers/stores/test-store.ts';
import { useInstallation } from '../use-installation.ts';

interface Line {
  readonly level: string;
  readonly subject: string;
  readonly message: string;
}

describe.each(await storeKinds())('unwrite doctor, on %s', (kind) => {
  const { client, folder, json, serve, unwrite } = useInstallation(kind);

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
  });
});
