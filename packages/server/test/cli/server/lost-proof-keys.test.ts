// All published keys are removed while a server runs, and before it starts.
import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/http/api.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { until } from '../../helpers/until.ts';
import { useShop } from '../use-shop.ts';

const WITHIN_MS = 120_000;

for (const kind of await storesInMatrix('cli/server/lost-proof-keys')) {
  describe(`published keys that are gone, on ${kind}`, () => {
    const shop = useShop({}, kind);
    const { json, inStore } = shop;

    it('nothing is signed, the message names the backup that is needed, and the next start is refused', {
      timeout: 3 * WITHIN_MS,
    }, async () => {
      await json('audit', 'rotate-key');
      const [, second] = (await json('audit', 'key', '--all')).keys;
      await json('client', 'create', '--controller', 'acme');
      await until(
        async () => (await headsOf(second.key_id)) > 0,
        () => 'no head by the second key',
        WITHIN_MS,
      );
      await inStore('CREATE TABLE kept AS SELECT * FROM proof_keys');
      await inStore('DELETE FROM proof_keys');
      const before = await heads();
      await json('client', 'create', '--controller', 'acme');
      await expect
        .poll(() => json('alarms', 'list'), { timeout: WITHIN_MS })
        .toContainEqual(
          expect.objectContaining({
            kind: 'audit_tampered',
            message: expect.stringMatching(
              /table proof_keys.*backup of this store that was made after 20/,
            ),
          }),
        );
      expect(await heads()).toBe(before);
      expect(await inStore('SELECT * FROM proof_keys')).toEqual([]);
      const { token } = await json(
        'operator',
        'client',
        'create',
        '--role',
        'viewer',
        '--name',
        'v',
      );
      const answer = await call(`${shop.server().url}/operator/v1/audit/key`, { token });
      expect(answer.status).toBe(503);
      expect(answer.text).toMatch(/table proof_keys.*made after 20/);
      await shop.server().kill('SIGTERM');
      await expect(shop.serveAgain()).rejects.toThrow(/table proof_keys.*made after 20/);
      expect(await inStore('SELECT * FROM proof_keys')).toEqual([]);

      await inStore('INSERT INTO proof_keys SELECT * FROM kept');
      await shop.serveAgain();
      await until(
        async () => (await heads()) > before,
        () => 'nothing is sealed',
        WITHIN_MS,
      );
      await json('audit', 'verify');
    });

    const heads = async () =>
      Number((await inStore('SELECT count(*) AS n FROM audit_heads'))[0]?.n);
    const headsOf = async (keyId: string) =>
      Number(
        (await inStore(`SELECT count(*) AS n FROM audit_heads WHERE key_id = '${keyId}'`))[0]?.n,
      );
  });
}
