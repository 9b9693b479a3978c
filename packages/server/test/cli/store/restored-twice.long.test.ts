// Another backup is restored before the restore of the first one is confirmed.
import { copyFileSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useShop } from '../use-shop.ts';

const shop = useShop({ cancellation_window: '1h' }, 'sqlite');
const { json, submit } = shop;

const file = () => `${shop.options().dataDir}/unwrite.db`;
const stop = () => shop.server().kill('SIGTERM');

async function backUp(name: string): Promise<void> {
  await stop();
  copyFileSync(file(), `${shop.folder()}/${name}`);
}

async function restore(name: string): Promise<void> {
  for (const suffix of ['-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true });
  copyFileSync(`${shop.folder()}/${name}`, file());
  await shop.serveAgain();
}

it('notices that what was accepted while a restore was open is lost, where the newest backup has the head from before that restore', async () => {
  await submit('acme', [['email', 'anna@example.com']]);
  await backUp('older.db');
  await shop.serveAgain();
  await submit('acme', [['email', 'bert@example.com']]);
  await backUp('newest.db');
  await restore('older.db');
  expect(await json('restored', 'review')).toMatchObject({ went_back: true });
  await submit('acme', [['email', 'carl@example.com']]);
  await stop();
  await restore('newest.db');
  expect(await json('restored', 'review')).toMatchObject({
    went_back: true,
    reason: expect.stringMatching(/has head \d+ of the audit log, which the store lacks$/),
  });
  expect(await json('restored', 'confirm')).toEqual({ cancelled: 0 });
  await stop();
  await shop.serveAgain();
  expect(await json('restored', 'review')).toMatchObject({ went_back: false });
  expect(await json('audit', 'verify')).toMatchObject({ ok: true });
  await stop();
});
