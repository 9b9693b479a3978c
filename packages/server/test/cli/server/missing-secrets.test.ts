// Rows of own_secrets are gone: new keys would not match what was made with the old ones.
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

for (const storeKind of await storesInMatrix('cli/server/missing-secrets')) {
  describe(`a secret of our own that is missing, on ${storeKind}`, () => {
    const shop = useShop({}, storeKind);
    const { submit, addRows, inStore, unwrite } = shop;

    it('refuses to start, and says which backup is needed', async () => {
      addRows('acme', 'anna@example.com', 1);
      const id = await submit('acme', [['email', 'anna@example.com']]);
      await shop.untilTasks(id, 'acme', 'erased');
      await shop.server().kill('SIGTERM');
      const kept = await inStore('SELECT name FROM own_secrets ORDER BY name');
      expect(kept.length).toBeGreaterThanOrEqual(3);
      await inStore('CREATE TABLE kept_secrets AS SELECT * FROM own_secrets');
      for (const { name } of kept) {
        await inStore(`DELETE FROM own_secrets WHERE name = '${name}'`);
        await expect(shop.serveAgain(), String(name)).rejects.toThrow(
          new RegExp(`"${name}".*from any backup of this store that was made after 20`),
        );
        expect(await inStore('SELECT name FROM own_secrets ORDER BY name')).toEqual(
          kept.filter((it) => it.name !== name),
        );
        await inStore('DELETE FROM own_secrets');
        await inStore('INSERT INTO own_secrets SELECT * FROM kept_secrets');
      }

      await inStore('DELETE FROM own_secrets');
      const seen = await unwrite('seen', '--controller', 'acme', '--email', 'anna@example.com');
      expect(seen).toMatchObject({ exitCode: 78, stderr: expect.stringContaining('own_secrets') });
      const verified = await unwrite('audit', 'verify');
      expect(verified).toMatchObject({ exitCode: 78 });
      expect(await inStore('SELECT name FROM own_secrets')).toEqual([]);

      await inStore('INSERT INTO own_secrets SELECT * FROM kept_secrets');
      await shop.serveAgain();
      const { exitCode } = await unwrite(
        'seen',
        '--controller',
        'acme',
        '--email',
        'anna@example.com',
      );
      expect(exitCode).toBe(0);
    });
  });
}
