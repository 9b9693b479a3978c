// `seen`, `request show`, receipts and metrics about the same people: they never disagree.
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { freePort } from '../../helpers/free-port.ts';
import { getToken, postJson } from '../../helpers/http/api.ts';
import { identity, requestBody } from '../../helpers/http/request-body.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { until } from '../../helpers/until.ts';
import { useInstallation } from '../use-installation.ts';

const PEOPLE = {
  erased: { email: 'erased@example.com', number: 'C-1', outcome: 'erased' },
  partly: { email: 'partly@example.com', number: 'C-2', outcome: 'partly retained' },
  kept: { email: 'kept@example.com', number: 'C-3', outcome: 'retained' },
  skipped: { email: 'skipped@example.com', number: null, outcome: 'retained' },
  nowhere: { email: 'nowhere@example.com', number: 'C-5', outcome: 'found nowhere' },
} as const;

for (const kind of await storesInMatrix('cli/request/one-truth')) {
  describe(`what is said about a person, on ${kind}`, () => {
    const installation = useInstallation(kind);
    const { json, client, folder } = installation;

    function makeTarget(): void {
      const database = new DatabaseSync(`${folder()}/shop.db`);
      database.exec(`
        CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT);
        CREATE TABLE invoices (id INTEGER PRIMARY KEY, email TEXT);
        INSERT INTO customers (email) VALUES ('erased@example.com'), ('partly@example.com');
        INSERT INTO invoices (email) VALUES ('partly@example.com'), ('kept@example.com');
        CREATE TABLE letters (id INTEGER PRIMARY KEY, number TEXT);
      `);
      database.close();
      const targets = {
        shop: {
          connector: 'sqlite',
          file: './shop.db',
          controllers: ['acme'],
          tables: [
            { table: 'customers', match: { email: 'email' } },
            { table: 'invoices', match: { email: 'email' }, action: { retain: 'tax law' } },
          ],
        },
        letters: {
          connector: 'sqlite',
          file: './shop.db',
          controllers: ['acme'],
          tables: [{ table: 'letters', match: { controller_customer_id: 'number' } }],
          when_unmatched: 'skip',
        },
      };
      const config = { cancellation_window: '0s', targets };
      writeFileSync(`${folder()}/unwrite.config.yaml`, stringify(config));
    }

    it('is the same everywhere, and never more than was done', { timeout: 180_000 }, async () => {
      makeTarget();
      const credentials = await client('acme');
      const port = await freePort();
      const config = ['--config', `${folder()}/unwrite.config.yaml`];
      await installation.serve(...config, '--management-port', String(port));
      const token = await getToken(credentials);
      let nowhere = 0;
      for (const { email, number, outcome } of Object.values(PEOPLE)) {
        const identities = [identity('email', email)];
        if (number !== null) identities.push(identity('controller_customer_id', number));
        const body = requestBody({ subject_identities: identities });
        const id = String(body.subject_request_id);
        expect((await postJson(`${credentials.base_url}/requests`, body, token)).status).toBe(201);
        const show = async () => json('request', 'show', id);
        const stored = `SELECT 1 FROM requests WHERE subject_request_id = '${id}' AND status = 'completed'`;
        await until(
          async () => (await installation.inStore(stored)).length === 1,
          () => `${email} is not completed`,
          60_000,
        );
        expect((await show()).request_status).toBe('completed');
        expect([email, (await show()).outcome]).toEqual([email, outcome]);
        const seen = await json('seen', '--controller', 'acme', '--email', email);
        expect(seen).toMatchObject({
          erased: outcome === 'erased',
          outcome,
          requests: [{ subject_request_id: id, request_status: 'completed', outcome }],
        });
        const receipt = await json('receipt', id);
        expect([email, receipt.not_found_anywhere]).toEqual([email, outcome === 'found nowhere']);
        if (receipt.not_found_anywhere) nowhere++;
      }
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toContain(`unwrite_requests_not_found_anywhere_total ${nowhere}\n`);
      expect(nowhere).toBe(1);
      // Of the shop only the last one and the one that was skipped elsewhere; a row that stays was found.
      expect(metrics).toContain('unwrite_tasks_not_found_total{target="shop"} 2\n');
    });
  });
}
