// An installation of its own for a test file, and the command line on it.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import type { Credentials } from '../helpers/http/api.ts';
import { startServerHere } from '../helpers/servers/server-here.ts';
import {
  type CommandResult,
  environmentOf,
  type ProcessOptions,
  type TestServer,
} from '../helpers/servers/server-process.ts';
import { DEFAULT_STORE, makeTestStore, type TestStore } from '../helpers/stores/test-store.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { runHere } from './run-here.ts';

/** In this process unless `start` says otherwise: commands run in it, too. */
export function useInstallation(
  storeKind = DEFAULT_STORE,
  start: (options: ProcessOptions) => Promise<TestServer> = (options) => startServerHere(options),
) {
  let folder: TemporaryFolder;
  let store: TestStore;
  let port: number;
  const servers: TestServer[] = [];

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    store = await makeTestStore(storeKind);
    port = await freePort();
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill('SIGTERM')));
    folder.remove();
  });

  const options = () => ({
    dataDir: `${folder.path}/data`,
    port,
    environment: store.environment,
  });

  function unwrite(...args: string[]): Promise<CommandResult> {
    return runHere(args, { env: environmentOf(options()), cwd: folder.path });
  }

  /** The same, with something to read from standard input. */
  function unwriteReading(input: string, ...args: string[]): Promise<CommandResult> {
    return runHere(args, { env: environmentOf(options()), cwd: folder.path, input });
  }

  /** What a command that must succeed printed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: output is looked into freely by tests
  async function json(...args: string[]): Promise<any> {
    const { exitCode, stdout, stderr } = await unwrite(...args, '--json');
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Looks into the store, or changes it behind the server's back. */
  async function inStore(sql: string): Promise<Record<string, unknown>[]> {
    if (store.database !== undefined) {
      await store.database.query('SET search_path TO unwrite');
      return store.database.query(sql);
    }
    const database = new DatabaseSync(`${options().dataDir}/unwrite.db`, { timeout: 5000 });
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    } finally {
      database.close();
    }
  }

  return {
    store: () => store,
    inStore,
    /** Where commands run, and the configuration file is looked for. */
    folder: () => folder.path,
    options,
    unwrite,
    unwriteReading,
    json,
    client: (controllerId: string): Promise<Credentials> =>
      json('client', 'create', '--controller', controllerId),
    async serve(...flags: string[]): Promise<TestServer> {
      const server = await start({ ...options(), flags });
      servers.push(server);
      return server;
    },
  };
}
