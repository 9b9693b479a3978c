// A backup of our own store is restored, and somebody had cancelled since.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { StoreKind } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';
import { backUpStore, restoreStore } from './back-up-store.ts';

export function describeRestoredStore(storeKind: StoreKind, canRun = true): void {
  describe.skipIf(!canRun)(`a store that was restored, on ${storeKind}`, () => {
    const shop = useShop({ cancellation_window: '1h' }, storeKind);
    const { json, submit, cancel, addRows, rowsOf } = shop;
    const inData = (name: string) => `${shop.options().dataDir}/${name}`;
    const headNo = (): number =>
      existsSync(inData('audit-head.json'))
        ? JSON.parse(readFileSync(inData('audit-head.json'), 'utf8')).head_no
        : 0;
    const statusOf = async (id: string) => (await json('request', 'show', id)).request_status;
    const setAside = () =>
      readdirSync(shop.options().dataDir).filter((it) => /head\.\d+\.json$/.test(it));
    /** Whatever is pending is due. */
    const serveNow = () =>
      shop.serve('--config', `${shop.folder()}/unwrite.config.yaml`, '--cancellation-window', '0s');

    it('starts and erases nothing before operators have looked after what was cancelled', {
      timeout: 60_000,
    }, async () => {
      addRows('acme', 'anna@example.com', 1);
      const id = await submit('acme', [['email', 'anna@example.com']]);
      await shop.server().kill('SIGTERM');
      await backUpStore(shop);

      await shop.serveAgain();
      const before = headNo();
      await cancel('acme', id);
      await expect.poll(headNo, { timeout: 15_000 }).toBeGreaterThan(before);
      await shop.server().kill('SIGTERM');
      await restoreStore(shop);

      let server = await serveNow();
      expect(server.output()).toContain(
        'requests that were cancelled after that backup are pending again',
      );
      // The worker has run: it has sealed what was written at this start.
      await expect.poll(() => setAside().length, { timeout: 15_000 }).toBe(1);
      expect(await statusOf(id)).toBe('pending');

      await server.kill('SIGTERM');
      server = await serveNow();
      expect(server.output()).toContain('pending requests do not start');
      await cancel('acme', id);
      expect(await statusOf(id)).toBe('cancelled');

      await server.kill('SIGTERM');
      for (const name of setAside()) rmSync(inData(name));
      server = await serveNow();
      expect(server.output()).not.toContain('shorter than it was');
      await json('resume');
      const next = await submit('acme', [['email', 'nobody@example.com']]);
      await shop.untilTasks(next, 'acme', 'erased');
      expect(rowsOf('acme', 'anna@example.com')).toBe(1);
    });
  });
}
