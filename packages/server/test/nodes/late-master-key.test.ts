// A node whose copy of the master key file gets a new key later than the others.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { call } from '../helpers/http/api.ts';
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
    installation = await startNodes({ roles: ['all'] });
    [first] = installation.nodes as [TestService];
    folder = makeTemporaryFolder();
    copy = join(folder.path, 'copy.key');
    copyFileSync(first.config.masterKeyFile, copy);
    const { store, storeSchema, publicUrl } = first.config;
    const settings = { store, storeSchema, publicUrl, role: 'all', masterKeyFile: copy };
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

  it('is not ready and answers 503 instead of refusing tokens, says nothing about other people’s rows, and recovers with the key', async () => {
    const token = await first.token();
    expect(await statusOf(late.url, token)).toBe(200);
    await installation.command('keys', 'rotate');
    const id = first.installation.vaultKeys.ring.current.id;
    await until(
      async () => (await statusOf(late.url, token)) === 503,
      () => 'the node answers without the key',
    );
    expect(await ready()).toMatchObject({ status: 503 });
    expect(JSON.stringify((await ready()).body)).toContain('which the store uses');
    expect(await statusOf(first.url, token)).toBe(200);
    const alarms = await installation.database.all<{ kind: string }>('SELECT kind FROM @alarms');
    expect(alarms.map(({ kind }) => kind)).not.toContain('row_refused');

    copyFileSync(first.config.masterKeyFile, copy);
    await until(
      async () => (await ready()).status === 200 && (await statusOf(late.url, token)) === 200,
      () => 'the node does not recover',
    );
    expect(late.installation.vaultKeys.ring.current.id).toBe(id);
    const listed = await installation.command('keys', 'list');
    expect(listed).toContainEqual(
      expect.objectContaining({ state: 'current', sealed: expect.any(Number) }),
    );
  });
});
