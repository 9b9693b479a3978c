// Backups beside a server under load, and kills of the processes that make and restore them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useInstallation } from '../cli/use-installation.ts';
import { getToken } from '../helpers/http/api.ts';
import { BIN, environmentOf, NODE, startServerProcess } from '../helpers/servers/server-process.ts';
import { storeKinds } from '../helpers/stores/test-store.ts';
import { emptyLedger, startLoad } from './load.ts';

describe.each(await storeKinds())('backups under load, on %s', { timeout: 180_000 }, (kind) => {
  const shop = useInstallation(kind, startServerProcess);
  const { client, folder, inStore, json, options, serve, unwrite } = shop;
  const ledger = emptyLedger();
  const into = (name: string) => join(folder(), name);
  let file = '';

  /** Killed after so many milliseconds, unless it has ended. */
  async function killed(afterMs: number, ...args: string[]): Promise<void> {
    const child = spawn(NODE, [BIN, ...args], {
      env: environmentOf(options()),
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    await once(child, 'exit');
    clearTimeout(timer);
  }

  it('has everything that was answered before it began, while all creates are answered', async () => {
    const credentials = await client('acme');
    const server = await serve('--cancellation-window', '1h');
    const load = startLoad(server.url, await getToken(credentials), ledger, 8);
    await load.acknowledged(200);
    const before = [...ledger.created.keys()];
    mkdirSync(into('backups'));
    file = (await json('backup', 'create', '--to', into('backups'))).file;
    await load.acknowledged(ledger.created.size + ledger.cancelled.size + 50);
    await load.stop();
    expect(ledger.unexpected).toEqual([]);

    await server.kill('SIGTERM');
    await emptyStore();
    await json('backup', 'restore', file);
    const stored = await inStore('SELECT subject_request_id AS id FROM requests');
    const restored = new Set(stored.map(({ id }) => String(id)));
    expect(before.filter((id) => !restored.has(id))).toEqual([]);
    expect([...restored].filter((id) => !ledger.created.has(id))).toEqual([]);
  });

  it('leaves no half file under the name of a backup when it is killed', async () => {
    mkdirSync(into('killed'));
    for (const afterMs of [250, 350, 450, 600, 800]) {
      await killed(afterMs, 'backup', 'create', '--to', into('killed'));
      for (const name of readdirSync(into('killed')).filter((it) => it.endsWith('.backup'))) {
        expect(await unwrite('backup', 'verify', join(into('killed'), name))).toMatchObject({
          exitCode: 0,
        });
      }
    }
  });

  it('restores again after a restore was killed', async () => {
    for (const afterMs of [300, 500, 700]) {
      await emptyStore();
      await killed(afterMs, 'backup', 'restore', file);
      const after = await unwrite('backup', 'restore', file);
      // The one that was to be killed may have been first.
      if (after.exitCode !== 0) expect(after.stderr).toContain('nothing is written over it');
      expect(await json('restored', 'review')).toMatchObject({ went_back: true });
    }
  });

  async function emptyStore(): Promise<void> {
    if (kind === 'sqlite') {
      for (const name of readdirSync(options().dataDir)) {
        if (name.startsWith('unwrite.db')) rmSync(join(options().dataDir, name));
      }
      return;
    }
    await inStore('DROP SCHEMA IF EXISTS unwrite CASCADE');
    await inStore('DROP SCHEMA IF EXISTS unwrite_queue CASCADE');
  }
});
