// `backup.every`, on a server with its worker.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useInstallation } from '../cli/use-installation.ts';
import type { StoreKind } from '../helpers/stores/test-store.ts';
import { until } from '../helpers/until.ts';

export function describeRegularBackups(storeKind: StoreKind): void {
  describe(`regular backups on ${storeKind}`, { timeout: 120_000 }, () => {
    const { client, folder, json, serve } = useInstallation(storeKind);
    const backups = () => join(folder(), 'backups');
    const serveWith = (...flags: string[]) =>
      serve('--backup-every', '1h', '--backup-folder', backups(), ...flags);
    const made = () => readdirSync(backups()).filter((name) => name.endsWith('.backup'));

    it('raises an alarm while the folder is not there, and makes a backup when it is', async () => {
      await client('acme');
      const server = await serveWith();
      const failed = () => json('alarms', 'list', '--kind', 'backup_failed');
      await until(
        async () => (await failed()).length > 0,
        () => 'there was no alarm',
      );
      const [alarm] = await failed();
      expect(alarm.message).toContain(`${backups()} does not exist; make it, or mount it`);
      await server.kill('SIGTERM');

      mkdirSync(backups());
      const again = await serveWith();
      await until(
        () => made().length > 0,
        () => `there was no backup: ${again.output()}`,
      );
      await again.kill('SIGTERM');
      expect(made()).toHaveLength(1);
      expect(await json('backup', 'verify', join(backups(), made()[0] ?? ''))).toMatchObject({
        kind: storeKind,
      });
    });

    it('removes what is older than backup.keep, of this store only, when a newer backup is made', async () => {
      const [newest = ''] = made();
      const old = newest.replace(/\d{8}T/, '20260101T');
      const ofAnother = old.replace(/-[0-9a-f]{12}-/, '-0123456789ab-');
      const left = `${old}.1234.part`;
      for (const name of [old, ofAnother, left]) writeFileSync(join(backups(), name), '');
      rmSync(join(backups(), newest));
      const server = await serveWith('--backup-keep', '2h');
      await until(
        () => made().length === 2 && !readdirSync(backups()).includes(left),
        () => `${readdirSync(backups())}: ${server.output()}`,
      );
      await server.kill('SIGTERM');
      expect(made()).toContain(ofAnother);
      expect(made()).not.toContain(old);
    });
  });
}
