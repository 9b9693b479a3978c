// A node whose copy of the master key file gets a new key later than the others.
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { call, postJson } from '../helpers/http/api.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';
import { startServiceIn, type TestService } from '../helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../helpers/servers/short-intervals.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

describe.skipIf(!(await hasPostgres()))('a node without the new master key', () => {
  let installation: TestNodes;
  let first: TestService;
  let late: TestService;
  let folder: TemporaryFolder;
  let copy: string;

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    const shop = join(folder.path, 'shop.db');
    const database = new DatabaseSync(shop);
    database.exec(
      `PRAGMA journal_mode = WAL; CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT COLLATE NOCASE UNIQUE)`,
    );
    database.close();
    const tables = [{ table: 'customers', match: { email: 'email' } }];
    const targets = { shop: { connector: 'sqlite', file: shop, tables, controllers: ['acme'] } };
    installation = await startNodes({ roles: ['all'], config: stringify({ targets }) });
    [first] = installation.nodes as [TestService];
    copy = join(folder.path, 'copy.key');
    copyFileSync(first.config.masterKeyFile, copy);
    const { store, storeSchema, publicUrl } = first.config;
    const settings = {
      store,
      storeSchema,
      publicUrl,
      role: 'all',
      masterKeyFile: copy,
      config: join(dirname(first.config.masterKeyFile), 'unwrite.config.yaml'),
    };
    late = await startServiceIn(folder.path, settings, SHORT_INTERVALS);
  });
  afterAll(async () => {
    await late.close();
    await installation.close();
    folder.remove();
  });

  const ready = () => call(`${late.url}/health/ready`);
  const statusOf = async (url: string, token: string) =>
    (await call(`${url}/discovery`, { token })).status;

  async function submit(token: string): Promise<string> {
    const body = requestBody();
    expect((await postJson(`${first.url}/requests`, body, token)).status).toBe(201);
    return String(body.subject_request_id);
  }

  it('is not ready and answers 503 instead of refusing tokens, leaves all work to the other node, does not report rows as forged, and recovers with the key', async () => {
    const token = await first.token();
    expect(await statusOf(late.url, token)).toBe(200);
    await installation.command('keys', 'rotate');
    const masterKey = first.installation.vaultKeys.ring.current.id;
    await until(
      async () => (await statusOf(late.url, token)) === 503,
      () => 'the node answers without the key',
    );
    // It may have read the signing keys in the moment before it noticed.
    await installation.database.run('DELETE FROM @alarms');
    expect(await ready()).toMatchObject({ status: 503 });
    expect(JSON.stringify((await ready()).body)).toContain('which the store uses');
    expect(await statusOf(first.url, token)).toBe(200);
    const id = await submit(token);
    await installation.command('request', 'start', id);
    await until(
      async () =>
        (await installation.command('request', 'show', id)).request_status === 'completed',
      () => 'the other node does not complete it',
    );
    const alarms = await installation.database.all<{ kind: string }>('SELECT kind FROM @alarms');
    expect(alarms.map(({ kind }) => kind)).not.toContain('row_refused');

    copyFileSync(first.config.masterKeyFile, copy);
    await until(
      async () => (await ready()).status === 200 && (await statusOf(late.url, token)) === 200,
      () => 'the node does not recover',
    );
    expect(late.installation.vaultKeys.ring.current.id).toBe(masterKey);
    const listed = await installation.command('keys', 'list');
    expect(listed).toContainEqual(
      expect.objectContaining({ state: 'current', sealed: expect.any(Number) }),
    );
  });
});
