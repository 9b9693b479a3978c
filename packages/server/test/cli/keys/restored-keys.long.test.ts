// Master keys that were made since a backup which is restored: the file has them, the store does not know them.
import { describe, expect, it } from 'vitest';
import { storeKinds } from '../../helpers/stores/test-store.ts';
import { backUpStore, restoreStore } from '../store/back-up-store.ts';
import { useShop } from '../use-shop.ts';

for (const kind of await storeKinds()) {
  describe(`the master keys of a restored store on ${kind}`, { timeout: 180_000 }, () => {
    const shop = useShop({ cancellation_window: '1h' }, kind);
    const { json, submit } = shop;

    const states = async () =>
      Object.fromEntries(
        (await json('keys', 'list')).map((key: { master_key: string; state: string }) => [
          key.master_key,
          key.state,
        ]),
      );

    it('are all listed and retired, also those that were made and left since the backup', async () => {
      await submit('acme', [['email', 'anna@example.com']]);
      const [first] = Object.keys(await states());
      await shop.server().kill('SIGTERM');
      await backUpStore(shop);
      const second = (await json('keys', 'rotate')).master_key;
      const third = (await json('keys', 'rotate')).master_key;
      await shop.serveAgain();
      await submit('acme', [['email', 'bert@example.com']]);
      await shop.server().kill('SIGTERM');

      await restoreStore(shop);
      await shop.serveAgain();
      await expect
        .poll(() => json('restored', 'review'), { timeout: 30_000 })
        .toMatchObject({ went_back: true });
      await json('restored', 'confirm');
      await expect
        .poll(states, { timeout: 30_000 })
        .toEqual({ [String(first)]: 'retired', [second]: 'retired', [third]: 'current' });
    });
  });
}
