// Services and files know people by the id that the operator's own database gives: it is looked up there, and no controller sends it.
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeService, startFake } from '../connectors/rest/fake-service.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { makeInstallation, type TestInstallation } from './set-up/installation.ts';

const JANE = 'jane@example.com';

let folder: TemporaryFolder;
let unwrite: TestInstallation;
let cache: FakeService;
/** What the service has, by the ids of the shop. */
let cached: Set<string>;

beforeEach(async () => {
  folder = makeTemporaryFolder();
  cached = new Set(['7', '70']);
  cache = await startFake(({ method, path, query }) => {
    if (path === '/me') return { status: 200, body: { account: 'ours' } };
    if (path === '/entries') {
      const hits = [...cached].filter((id) => id.startsWith(query.get('user') ?? ''));
      return { status: 200, body: { entries: hits.map((user) => ({ user })) } };
    }
    const id = path.split('/').at(-1) ?? '';
    if (method === 'DELETE') cached.delete(id);
    else if (!cached.has(id)) return { status: 200, body: { found: false } };
    return { status: 200, body: { found: true } };
  });
  const shop = new DatabaseSync(`${folder.path}/shop.db`);
  shop.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE);
    INSERT INTO users VALUES (7, '${JANE}'), (70, 'bob@example.com')`);
  shop.close();
  writeFileSync(
    `${folder.path}/cache.yaml`,
    `service: Cache
settings: []
secrets: [token]
origin: ${cache.url}
auth: { bearer: "{token}" }
calls_per_minute: 6000
account: { call: GET /me, is: { status: 200, where: { account: ours } } }
objects:
  entries:
    find:
      internal.user_id:
        { call: "GET /entries?user={identity}", found: 200, items: entries, key: { id: user }, same: user }
    places:
      live:
        look: GET /entries/{id}
        has: { status: 200, where: { found: true } }
        lacks: { status: 200, where: { found: false } }
        out: DELETE /entries/{id}
        done: 200
`,
  );
  unwrite = await makeInstallation(
    folder.path,
    `cancellation_window: 0s
targets:
  shop:
    connector: sqlite
    file: ./shop.db
    controllers: [acme]
    tables: [{ table: users, match: { email: email } }]
    resolve: { table: users, from: { email: email }, to: { internal: { user_id: id } } }
  cache:
    connector: rest
    recipe: ./cache.yaml
    mode: erase
    controllers: [acme]
    secrets: { token: secret }
    allow_private: [127.0.0.1]
`,
  );
  await unwrite.start();
});
afterEach(async () => {
  await unwrite.kill('SIGTERM');
  await cache.close();
  folder.remove();
});

async function untilCompleted(id: string) {
  await until(
    async () => (await unwrite.status('acme', id)) === 'completed',
    () => `it is not completed: ${unwrite.output()}`,
  );
  return (await unwrite.command('receipt', id, '--full')) as {
    tasks: { target: string; action: string; tables: object[] }[];
  };
}

it('are looked up before the row that has them is erased', async () => {
  const { tasks } = await untilCompleted(await unwrite.submit('acme', [['email', JANE]]));
  expect(tasks.map(({ target, action }) => [target, action]).sort()).toEqual([
    ['cache', 'erased'],
    ['shop', 'erased'],
  ]);
  expect([...cached]).toEqual(['70']);
});

it('are missing of a person whom the database does not have: nothing is anywhere, and nothing is held', async () => {
  const id = await unwrite.submit('acme', [['email', 'nobody@example.com']]);
  const { tasks } = await untilCompleted(id);
  expect(tasks.map(({ action }) => action)).toEqual(['not_found', 'not_found']);
  expect([...cached]).toEqual(['7', '70']);
});

it('are not known of a person who cannot be looked up: that is held', async () => {
  const id = await unwrite.submit('acme', [['controller_customer_id', 'c-7']]);
  const held = async () => {
    const tasks: { target: string; state: string; reason: string }[] = await unwrite.command(
      'task',
      'list',
      '--request',
      id,
    );
    return tasks.find(({ target, state }) => target === 'cache' && state === 'held');
  };
  await until(
    async () => (await held()) !== undefined,
    () => `it is not held: ${unwrite.output()}`,
  );
  expect(await held()).toMatchObject({ reason: 'no_usable_identity' });
  expect([...cached]).toEqual(['7', '70']);
});
