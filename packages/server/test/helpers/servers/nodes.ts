// Several nodes in this process, on one PostgreSQL store: `describe.skipIf(!(await hasPostgres()))('…', …)`
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../../src/config/config.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/database.ts';
import { runHere } from '../../cli/run-here.ts';
import { freshPostgres } from '../databases/fresh-postgres.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { startServiceIn, type TestService, withoutSecrets } from './service.ts';
import { SHORT_INTERVALS } from './short-intervals.ts';

export interface TestNodes {
  readonly nodes: readonly TestService[];
  /** Changes the configuration file. */
  write(config: string): void;
  /** The store, looked into from outside. */
  readonly database: Database;
  /** `unwrite … --json` in this process, as an operator runs it on a machine of its own. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  command(...args: string[]): Promise<any>;
  close(): Promise<void>;
}

export interface NodesGiven {
  readonly roles: readonly Role[];
  /** Settings by their keys, of all nodes and of the operator's commands. */
  readonly flags?: Record<string, unknown>;
  /** What is in the configuration file. */
  readonly config?: string;
  /** Of the database, where it is not one of their own on the run's server. */
  readonly url?: string;
  readonly schema?: string;
}

export async function startNodes(given: NodesGiven): Promise<TestNodes> {
  const { roles, schema = 'unwrite', flags = {}, config = '' } = given;
  const folder = makeTemporaryFolder();
  const fresh = given.url === undefined ? await freshPostgres() : undefined;
  const url = given.url ?? String(fresh?.url);
  const file = join(folder.path, 'unwrite.config.yaml');
  writeFileSync(file, config);
  const shared = {
    store: url,
    storeSchema: schema,
    storePoolSize: 4,
    config: file,
    masterKeyFile: join(folder.path, 'master.key'),
    publicUrl: 'http://unwrite.test',
    retryDelay: '1s',
    ...flags,
  };
  const folderOf = (name: string): string => {
    const path = join(folder.path, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const nodes = await Promise.all(
    roles.map((role, index) =>
      startServiceIn(folderOf(`node-${index + 1}`), { ...shared, role }, SHORT_INTERVALS),
    ),
  );
  const database = openDatabase({
    url,
    schema,
    poolSize: 2,
    statementTimeout: 30_000,
    prepare: true,
    name: 'unwrite test',
  });

  return {
    nodes,
    write: (text) => writeFileSync(file, text),
    database,
    async command(...args) {
      const { flags, environment } = withoutSecrets({ ...shared, dataDir: folderOf('operator') });
      const given = Object.entries(flags).flatMap(([key, value]) => [
        `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        String(value),
      ]);
      const result = await runHere([...args, '--json', ...given], {
        env: { ...process.env, ...environment },
      });
      if (result.exitCode !== 0) throw new Error(`unwrite ${args.join(' ')}: ${result.stderr}`);
      return JSON.parse(result.stdout);
    },
    async close() {
      await database.close();
      await Promise.all(nodes.map((node) => node.close()));
      await fresh?.close();
      folder.remove();
    },
  };
}
