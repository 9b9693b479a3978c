// The key that signs heads and receipts is put back to one that was replaced: out of an old backup, or by SQL.
import { describe, expect, it } from 'vitest';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

const NAME = `name = 'proof signing key'`;

for (const kind of await storesInMatrix('cli/server/older-proof-key')) {
  describe(`an older key that signs heads and receipts, on ${kind}`, () => {
    const shop = useShop({}, kind);
    const { json, inStore, unwrite } = shop;
    const keep = (table: string) =>
      inStore(`CREATE TABLE ${table} AS SELECT * FROM own_secrets WHERE ${NAME}`);
    const putBack = (table: string) =>
      inStore(`UPDATE own_secrets SET sealed = (SELECT sealed FROM ${table}) WHERE ${NAME}`);
    const alarms = () => json('alarms', 'list');
    const keysOf = async () => (await json('audit', 'key', '--all')).keys;

    it('signs nothing, and is refused at the start with the backup that is needed', async () => {
      await keep('before');
      await json('audit', 'rotate-key');
      await keep('after');
      const created = (await keysOf())[1].created_time;
      const needed = `made after ${created}`;

      await putBack('before');
      const heads = async () => inStore('SELECT head_no, key_id FROM audit_heads ORDER BY head_no');
      const sealed = await heads();
      await json('client', 'create', '--controller', 'acme');
      const said = expect.arrayContaining([
        expect.objectContaining({
          kind: 'audit_tampered',
          message: expect.stringContaining(needed),
        }),
      ]);
      await expect.poll(alarms, { timeout: 120_000 }).toEqual(said);
      expect(await heads()).toEqual(sealed);
      expect(await unwrite('audit', 'rotate-key')).toMatchObject({
        exitCode: 78,
        stderr: expect.stringContaining(needed),
      });
      expect(await unwrite('audit', 'verify')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('key 2'),
      });
      await shop.server().kill('SIGTERM');
      await expect(shop.serveAgain()).rejects.toThrow(needed);

      await inStore(`DELETE FROM own_secrets WHERE ${NAME}`);
      await expect(shop.serveAgain()).rejects.toThrow(needed);

      await inStore('INSERT INTO own_secrets SELECT * FROM after');
      await shop.serveAgain();
      await expect
        .poll(async () => (await heads()).length, { timeout: 60_000 })
        .toBeGreaterThan(sealed.length);
      await json('audit', 'verify');
      await json('audit', 'rotate-key');
      expect(await keysOf()).toHaveLength(3);
    });

    it('is reported if it is missing', async () => {
      await shop.server().kill('SIGTERM');
      await inStore('DELETE FROM proof_keys WHERE key_no = 1');
      await shop.serveAgain();
      const missing = expect.stringContaining(
        'key 1 of those that sign heads and receipts is missing',
      );
      expect(await alarms()).toContainEqual(expect.objectContaining({ message: missing }));
      expect(await unwrite('audit', 'verify')).toMatchObject({ exitCode: 1, stderr: missing });
    });
  });
}
