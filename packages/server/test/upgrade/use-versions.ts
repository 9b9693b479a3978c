// Servers of this version and of later ones that there are not, on the same store.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type FreshDatabase, freshPostgres } from '../helpers/databases/fresh-postgres.ts';
import { freePort } from '../helpers/free-port.ts';
import { type Credentials, call, getToken, postJson } from '../helpers/http/api.ts';
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
  SLOW,
} from './invented-version.ts';

export const EXIT_CONFIG = 78;
export const EXPANDED = nameOf(KNOWN + 1, EXPANDING);
export const CONTRACTED = nameOf(KNOWN + 2, CONTRACTING);
export const SLOWED = nameOf(KNOWN + 2, SLOW);
export const TOO_OLD = `too old for the store, which has migration ${CONTRACTED}`;
const PEOPLE = 20;

/** Called inside of describe(): each test has a store of its own. */
export function useVersions(store: 'sqlite' | 'postgres') {
  let next: InventedVersion;
  let afterNext: InventedVersion;
  let slow: InventedVersion;
  let folder: TemporaryFolder;
  let fresh: FreshDatabase | undefined;
  let environment: Record<string, string>;
  let servers: ServerProcess[] = [];
  let person = 0;
  let token = '';

  beforeAll(() => {
    next = inventVersion('0.2.0', [EXPANDING]);
    afterNext = inventVersion('0.3.0', [EXPANDING, CONTRACTING]);
    slow = inventVersion('0.2.1', [EXPANDING, SLOW]);
  });
  afterAll(() => {
    next.remove();
    afterNext.remove();
    slow.remove();
  });
  beforeEach(async () => {
    folder = makeTemporaryFolder();
    const config = join(folder.path, 'unwrite.config.yaml');
    writeFileSync(config, configOf(makeShop(folder.path)));
    environment = {
      UNWRITE_CONFIG: config,
      UNWRITE_PUBLIC_URL: 'http://unwrite.test',
      UNWRITE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    if (store === 'sqlite') return;
    fresh = await freshPostgres();
    Object.assign(environment, {
      UNWRITE_STORE: fresh.url,
      UNWRITE_STORE_POOL_SIZE: '3',
    });
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
    servers = [];
    await fresh?.close();
    fresh = undefined;
    folder.remove();
  });

  const dataDirOf = (name: string) => (store === 'sqlite' ? folder.path : join(folder.path, name));

  /** On its way. */
  async function spawn(name: string, version?: InventedVersion): Promise<ServerProcess> {
    const options = { dataDir: dataDirOf(name), port: await freePort(), environment };
    const server = spawnServer({ ...options, ...(version && { bin: version.bin }) });
    servers.push(server);
    return server;
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

  async function useToken({ url }: ServerProcess, credentials: Credentials): Promise<void> {
    token = await getToken({ ...credentials, token_url: `${url}/oauth/token` });
  }

  const statusAt = async ({ url }: ServerProcess, id: string): Promise<string> =>
    (await call(`${url}/requests/${id}`, { token })).body.request_status;

  return {
    /** With EXPANDING. */
    next: () => next,
    /** With CONTRACTING, too. */
    afterNext: () => afterNext,
    /** With SLOW, after EXPANDING. */
    slow: () => slow,
    dataDir: () => folder.path,
    environment: () => environment,
    // biome-ignore lint/suspicious/noExplicitAny: rows are looked into freely by tests
    query: async (sql: string): Promise<any[]> => (await fresh?.query(sql)) ?? [],
    spawn,
    async start(name: string, version?: InventedVersion): Promise<ServerProcess> {
      const server = await spawn(name, version);
      await untilReady(server);
      return server;
    },
    async ended(server: ServerProcess): Promise<{ exitCode: number | null; output: string }> {
      const { child } = server;
      if (child.exitCode === null) await once(child, 'exit');
      return { exitCode: child.exitCode, output: server.output() };
    },
    command,
    answered,
    async makeToken(server: ServerProcess): Promise<Credentials> {
      const credentials = await answered(['client', 'create', '--controller', 'acme']);
      await useToken(server, credentials);
      return credentials;
    },
    useToken,
    async submit({ url }: ServerProcess): Promise<string> {
      const id = randomUUID();
      const body = requestBody({
        subject_request_id: id,
        subject_identities: [identity('email', emailOf(person++ % PEOPLE))],
      });
      expect((await postJson(`${url}/requests`, body, token)).status).toBe(201);
      return id;
    },
    statusAt,
    async cancel({ url }: ServerProcess, id: string): Promise<void> {
      const { status } = await call(`${url}/requests/${id}`, { method: 'DELETE', token });
      expect(status).toBe(202);
    },
    /** Erased by whichever version takes the batch. */
    async complete(server: ServerProcess, id: string, version?: InventedVersion): Promise<void> {
      await answered(['request', 'start', id], version);
      await until(
        async () => (await statusAt(server, id)) === 'completed',
        () => server.output(),
      );
    },
    reasons: async ({ url }: ServerProcess): Promise<string[]> =>
      (await call(`${url}/health/ready`)).body.reasons ?? [],
  };
}

const emailOf = (number: number) => `someone${number}@example.net`;

function makeShop(folder: string): string {
  const file = join(folder, 'shop.db');
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT COLLATE NOCASE UNIQUE)`);
  const insert = database.prepare('INSERT INTO customers (email) VALUES (?)');
  for (let i = 0; i < PEOPLE; i++) insert.run(emailOf(i));
  database.close();
  return file;
}

const configOf = (shop: string) => `targets:
  shop:
    connector: sqlite
    file: ${shop}
    controllers: [acme]
    tables: [{ table: customers, match: { email: email } }]
`;
