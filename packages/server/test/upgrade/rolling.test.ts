// This version and later ones on the same store, as while a new version is rolled out.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type FreshDatabase,
  freshPostgres,
  hasPostgres,
} from '../helpers/databases/fresh-postgres.ts';
import { freePort } from '../helpers/free-port.ts';
import { call, getToken, postJson } from '../helpers/http/api.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import { runBeside } from '../helpers/run-beside.ts';
import { type ServerProcess, spawnServer, untilReady } from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import {
  CONTRACTING,
  EXPANDING,
  type InventedVersion,
  inventVersion,
  KNOWN,
  nameOf,
} from './invented-version.ts';

const EXIT_CONFIG = 78;
const EXPANDED = nameOf(KNOWN + 1, EXPANDING);
const CONTRACTED = nameOf(KNOWN + 2, CONTRACTING);
const TOO_OLD = `too old for the store, which has migration ${CONTRACTED}`;

let next: InventedVersion;
let afterNext: InventedVersion;
let folder: TemporaryFolder;
let environment: Record<string, string>;
let servers: ServerProcess[];

beforeAll(() => {
  next = inventVersion('0.2.0', [EXPANDING]);
  afterNext = inventVersion('0.3.0', [EXPANDING, CONTRACTING]);
});
afterAll(() => {
  next.remove();
  afterNext.remove();
});
beforeEach(() => {
  folder = makeTemporaryFolder();
  servers = [];
  const shop = join(folder.path, 'shop.db');
  const database = new DatabaseSync(shop);
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT COLLATE NOCASE UNIQUE)',
  );
  for (let i = 0; i < 20; i++)
    database.exec(`INSERT INTO customers (email) VALUES ('someone${i}@example.net')`);
  database.close();
  const config = join(folder.path, 'unwrite.config.yaml');
  writeFileSync(
    config,
    `targets:
  shop:
    connector: sqlite
    file: ${shop}
    controllers: [acme]
    tables: [{ table: customers, match: { email: email } }]
`,
  );
  environment = { UNWRITE_CONFIG: config, UNWRITE_PUBLIC_URL: 'http://unwrite.test' };
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  folder.remove();
});

/** On its way. */
async function spawn(version?: InventedVersion, dataDir = folder.path): Promise<ServerProcess> {
  const options = { dataDir, port: await freePort(), environment };
  const server = spawnServer({ ...options, ...(version && { bin: version.bin }) });
  servers.push(server);
  return server;
}

async function start(version?: InventedVersion, dataDir = folder.path): Promise<ServerProcess> {
  const server = await spawn(version, dataDir);
  await untilReady(server);
  return server;
}

async function ended(server: ServerProcess): Promise<{ exitCode: number | null; output: string }> {
  const { child } = server;
  if (child.exitCode === null) await once(child, 'exit');
  return { exitCode: child.exitCode, output: server.output() };
}

const command = (args: readonly string[], version?: InventedVersion) =>
  runBeside(args, {
    dataDir: folder.path,
    environment,
    ...(version && { bin: version.bin }),
  });

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
async function answered(args: readonly string[], version?: InventedVersion): Promise<any> {
  const { exitCode, stdout, stderr } = await command([...args, '--json'], version);
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

let person = 0;
let token = '';

async function makeToken({ url }: ServerProcess): Promise<void> {
  const credentials = await answered(['client', 'create', '--controller', 'acme']);
  token = await getToken({ ...credentials, token_url: `${url}/oauth/token` });
}

async function submit({ url }: ServerProcess): Promise<string> {
  const id = randomUUID();
  const body = requestBody({
    subject_request_id: id,
    subject_identities: [identity('email', `someone${person++ % 20}@example.net`)],
  });
  expect((await postJson(`${url}/requests`, body, token)).status).toBe(201);
  return id;
}

const statusAt = async ({ url }: ServerProcess, id: string): Promise<string> =>
  (await call(`${url}/requests/${id}`, { token })).body.request_status;

/** Erased by whichever version takes the batch. */
async function complete(server: ServerProcess, id: string, version?: InventedVersion) {
  await answered(['request', 'start', id], version);
  await until(
    async () => (await statusAt(server, id)) === 'completed',
    () => server.output(),
  );
}

const isReady = async ({ url }: ServerProcess) =>
  (await call(`${url}/health/ready`)).status === 200;

describe.skipIf(!(await hasPostgres()))('nodes of several versions on one PostgreSQL', () => {
  let fresh: FreshDatabase;
  const folderOf = (name: string) => join(folder.path, name);

  beforeEach(async () => {
    fresh = await freshPostgres();
    Object.assign(environment, {
      UNWRITE_STORE: fresh.url,
      UNWRITE_STORE_POOL_SIZE: '3',
      UNWRITE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
    await fresh.close();
  });

  it('work beside each other, until one is too old or too new, says so and ends', async () => {
    const old = await start(undefined, folderOf('a'));
    await makeToken(old);
    const before = await submit(old);

    // The next version joins; what either accepts, both answer, and both erase.
    const newer = await start(next, folderOf('b'));
    const [fromOld, fromNewer] = await Promise.all([submit(old), submit(newer)]);
    for (const id of [before, fromOld, fromNewer]) {
      await complete(old, id);
      expect(await statusAt(newer, id)).toBe('completed');
    }
    await complete(newer, await submit(newer), next);
    const doctor = await command(['doctor']);
    expect(doctor.stdout).toContain('they run versions 0.1.0 and 0.2.0');
    expect(doctor.stdout).toContain(`a newer version has migrated it (${EXPANDED})`);
    expect(await answered(['migrate', 'status'])).toMatchObject({ waiting: [], newer: [EXPANDED] });

    // The way back is open.
    await old.kill('SIGTERM');
    const again = await start(undefined, folderOf('a'));
    await complete(again, await submit(again));

    // One that removes something waits for the end of those that use it.
    const early = await ended(await spawn(afterNext, folderOf('c')));
    expect(early.exitCode).toBe(EXIT_CONFIG);
    expect(early.output).toContain(`migration ${CONTRACTED} removes what running nodes use: `);
    expect(early.output).toContain('(version 0.1.0); stop them');
    expect(early.output).not.toContain('0.2.0');
    expect([await isReady(again), await isReady(newer)]).toEqual([true, true]);

    await again.kill('SIGTERM');
    const newest = await start(afterNext, folderOf('c'));
    const [one, other] = await Promise.all([submit(newer), submit(newest)]);
    await complete(newer, one, next);
    await complete(newest, other, afterNext);
    const late = await ended(await spawn(undefined, folderOf('a')));
    expect(late.exitCode).toBe(EXIT_CONFIG);
    expect(late.output).toContain(TOO_OLD);
  });

  it('end when a newer version has removed what they use while they were silent', async () => {
    const old = await start(undefined, folderOf('a'));
    await fresh.query(
      `INSERT INTO unwrite.schema_migrations (number, name, digest, works_from)
       VALUES (${KNOWN + 1}, '${EXPANDED}', 'x', ${KNOWN}), (${KNOWN + 2}, '${CONTRACTED}', 'x', ${KNOWN + 1})`,
    );
    const { exitCode, output } = await ended(old);
    expect(exitCode).toBe(EXIT_CONFIG);
    expect(output).toContain(TOO_OLD);
  });

  it('are not ready on a store that an older version made, until they are started again', async () => {
    const newer = await start(next, folderOf('a'));
    await fresh.query(`DELETE FROM unwrite.schema_migrations WHERE number = ${KNOWN + 1}`);
    await until(
      async () => !(await isReady(newer)),
      () => newer.output(),
    );
    const { body } = await call(`${newer.url}/health/ready`);
    expect(body.reasons).toEqual([
      `the store lacks ${EXPANDED}: start this node again, so that it migrates`,
    ]);
  });
});

describe('versions on one SQLite file', () => {
  it('follow each other: nothing is migrated under a running server', async () => {
    const old = await start();
    await makeToken(old);
    const before = await submit(old);
    const refused = await command(['request', 'list'], next);
    expect(refused.exitCode).toBe(EXIT_CONFIG);
    expect(refused.stderr).toContain(
      `the store in ${folder.path} needs ${EXPANDED}, and a server uses it: stop that`,
    );
    await complete(old, await submit(old));
    await old.kill('SIGTERM');

    const newer = await start(next);
    await complete(newer, before, next);
    // Commands of the earlier version work beside it, and the way back is open.
    await complete(newer, await submit(newer));
    await newer.kill('SIGTERM');
    const again = await start();
    expect(await statusAt(again, before)).toBe('completed');
    await complete(again, await submit(again));
    await again.kill('SIGTERM');

    const newest = await start(afterNext);
    await complete(newest, await submit(newest), afterNext);
    await newest.kill('SIGTERM');
    const late = await ended(await spawn());
    expect(late.exitCode).toBe(EXIT_CONFIG);
    expect(late.output).toContain(TOO_OLD);
    expect(await answered(['migrate', 'status'], afterNext)).toMatchObject({ waiting: [] });
  });
});
