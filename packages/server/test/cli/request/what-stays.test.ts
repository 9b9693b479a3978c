// Rows that stay by the configuration, and that nothing leads to any more once the person's own rows are erased.
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { getToken, postJson } from '../../helpers/http/api.ts';
import { identity, requestBody } from '../../helpers/http/request-body.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useInstallation } from '../use-installation.ts';

for (const kind of await storesInMatrix('cli/request/what-stays')) {
  describe(`what is said about a person of whom rows stay, on ${kind}`, () => {
    const installation = useInstallation(kind);
    const { json, client, folder } = installation;

    it('stays true when a later run, or a second request, finds nothing of what stays', {
      timeout: 180_000,
    }, async () => {
      const database = new DatabaseSync(`${folder()}/shop.db`);
      database.exec(`
        CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT);
        CREATE TABLE invoices (id INTEGER PRIMARY KEY, customer_id INTEGER);
        INSERT INTO customers VALUES (1, 'anna@example.com');
        INSERT INTO invoices (customer_id) VALUES (1), (1);
      `);
      database.close();
      const tables = [
        { table: 'customers', match: { email: 'email' } },
        {
          table: 'invoices',
          via: { customers: { customer_id: 'id' } },
          action: { retain: 'tax law' },
        },
      ];
      const shop = { connector: 'sqlite', file: './shop.db', controllers: ['acme'], tables };
      const path = `${folder()}/unwrite.config.yaml`;
      writeFileSync(path, stringify({ cancellation_window: '0s', targets: { shop } }));
      const credentials = await client('acme');
      await installation.serve('--config', path);
      const token = await getToken(credentials);
      async function erase(): Promise<string> {
        const body = requestBody({ subject_identities: [identity('email', 'anna@example.com')] });
        const id = String(body.subject_request_id);
        expect((await postJson(`${credentials.base_url}/requests`, body, token)).status).toBe(201);
        await expect
          .poll(async () => (await json('request', 'show', id)).request_status, { timeout: 60_000 })
          .toBe('completed');
        return id;
      }
      const saysPartly = async (...ids: string[]) => {
        for (const id of ids)
          expect(await json('request', 'show', id)).toMatchObject({ outcome: 'partly retained' });
        expect(
          await json('seen', '--controller', 'acme', '--email', 'anna@example.com'),
        ).toMatchObject({
          erased: false,
          outcome: 'partly retained',
          requests: ids.map((id) => ({ subject_request_id: id, outcome: 'partly retained' })),
        });
      };
      const first = await erase();
      await saysPartly(first);
      expect((await json('receipt', first)).retained).toHaveLength(1);

      await json('erase-again', '--target', 'shop', '--since', '2020-01-01', '--config', path);
      const addendum = () => json('receipt', first, '--number', '2').catch(() => undefined);
      await expect.poll(addendum, { timeout: 60_000 }).toMatchObject({ receipt_no: 2 });
      expect(await addendum()).toMatchObject({ not_found_anywhere: false });
      await saysPartly(first);

      const second = await erase();
      await saysPartly(first, second);
    });
  });
}
