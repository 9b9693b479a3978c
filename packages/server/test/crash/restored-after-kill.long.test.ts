// The server is killed right after a cancellation, before a head covers it, and the database alone is restored.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { backUpStore, restoreStore } from '../cli/store/back-up-store.ts';
import { useShop } from '../cli/use-shop.ts';
import { startServerProcess } from '../helpers/servers/server-process.ts';
import { until } from '../helpers/until.ts';

describe('a store that was restored after a kill', { timeout: 180_000 }, () => {
  const shop = useShop({ cancellation_window: '1h' }, undefined, startServerProcess);
  const { json, submit, cancel, addRows, rowsOf } = shop;
  const serveNow = () =>
    shop.serve('--config', `${shop.folder()}/unwrite.config.yaml`, '--cancellation-window', '0s');
  const headFile = () => `${shop.options().dataDir}/audit-head.json`;
  const readHead = () => (existsSync(headFile()) ? readFileSync(headFile(), 'utf8') : '');
  const cancellationFiles = () =>
    readdirSync(shop.options().dataDir)
      .filter((name) => name.startsWith('cancelled-'))
      .map((name) => `${shop.options().dataDir}/${name}`)
      .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

  it('starts nothing, and cancels again what was answered with 202', async () => {
    addRows('acme', 'anna@example.com', 1);
    const id = await submit('acme', [['email', 'anna@example.com']]);
    await shop.server().kill('SIGTERM');
    await backUpStore(shop);
    await shop.serveAgain();
    const head = readHead();
    await cancel('acme', id);
    await shop.server().kill('SIGKILL');
    expect(readHead()).toBe(head);
    // As if the clock had been ahead when it was sealed.
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    writeFileSync(headFile(), `${JSON.stringify({ ...JSON.parse(head), time: ahead })}\n`);
    await restoreStore(shop);

    const server = await serveNow();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await json('request', 'show', id)).request_status).toBe('pending');
    expect(await json('restored', 'review')).toMatchObject({
      reason: expect.stringContaining('answered cancellations that the store lacks: 1'),
      requests: [{ subject_request_id: id, confirming: 'cancels it again' }],
    });
    expect(await json('restored', 'confirm')).toEqual({ cancelled: 1 });
    const next = await submit('acme', [['email', 'nobody@example.com']]);
    await shop.untilTasks(next, 'acme', 'erased');
    expect(rowsOf('acme', 'anna@example.com')).toBe(1);
    await server.kill('SIGKILL');

    // A kill alone is no restore.
    const again = await serveNow();
    expect(await json('restored', 'review')).toMatchObject({ went_back: false });
    await again.kill('SIGTERM');
  });

  it('cancels again what was cancelled right before the kill, and neither answered nor written down', async () => {
    await shop.serveAgain();
    addRows('acme', 'bert@example.com', 1);
    const id = await submit('acme', [['email', 'bert@example.com']]);
    await shop.server().kill('SIGTERM');
    await backUpStore(shop);
    await shop.serveAgain();
    await cancel('acme', id);
    await shop.server().kill('SIGKILL');
    // As if it had been killed between the commit and the line.
    for (const { path, text } of cancellationFiles()) {
      writeFileSync(path, text.replace(new RegExp(`.*${id}.*\\n`), ''));
    }

    // From here on the controller gets 'cancelled' as the status, and 400 if it cancels again.
    await shop.serveAgain();
    expect((await json('request', 'show', id)).request_status).toBe('cancelled');
    await until(
      () => cancellationFiles().some(({ text }) => text.includes(id)),
      () => 'it was not written down',
    );
    await shop.server().kill('SIGTERM');
    await restoreStore(shop);
    const server = await serveNow();

    expect(await json('restored', 'review')).toMatchObject({
      requests: [{ subject_request_id: id, confirming: 'cancels it again' }],
    });
    expect(await json('restored', 'confirm')).toEqual({ cancelled: 1 });
    expect(rowsOf('acme', 'bert@example.com')).toBe(1);
    await server.kill('SIGTERM');
  });
});
