// Nodes as an operator runs them: processes of their own on one PostgreSQL store, with the same
// configuration and master key, and a data folder for each.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../../src/config/config.ts';
import { makeMasterKeyFile } from '../../../src/vault/master-key-file.ts';
import { freePort } from '../free-port.ts';
import { type Credentials, getToken } from '../http/api.ts';
import { runBeside } from '../run-beside.ts';
import { type ProcessOptions, type ServerProcess, spawnServer } from './server-process.ts';

export interface NodeProcess {
  readonly name: string;
  readonly role: Role;
  readonly url: string;
  readonly dataDir: string;
  /** The last that was started. */
  process(): ServerProcess;
  isRunning(): boolean;
  /** It may not be ready yet. */
  start(): ServerProcess;
  untilReady(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Of all that were started here. */
  output(): string;
}

export interface NodeProcesses {
  /** Of all nodes. */
  readonly masterKeyFile: string;
  /** Not started. */
  add(name: string, role: Role, environment?: Record<string, string>): Promise<NodeProcess>;
  /** `unwrite … --json`. A data folder has the newest audit head that its node knows. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  command(args: readonly string[], dataDir?: string): Promise<any>;
  token(url: string, controllerId: string): Promise<string>;
  close(): Promise<void>;
}

export interface NodesOptions {
  readonly folder: string;
  /** Of the store. */
  readonly url: string;
  readonly schema: string;
  /** What is in the configuration file. */
  readonly config: string;
  readonly environment?: Record<string, string>;
}

/** Nothing is promised about it, and a machine may be busy. */
const READY_MS = 180_000;

export function makeNodeProcesses(options: NodesOptions): NodeProcesses {
  const { folder, url, schema, config } = options;
  const file = join(folder, 'unwrite.config.yaml');
  writeFileSync(file, config);
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKeyFile(masterKeyFile);
  const shared: Record<string, string> = {
    UNWRITE_CONFIG: file,
    UNWRITE_STORE: url,
    UNWRITE_STORE_SCHEMA: schema,
    UNWRITE_STORE_POOL_SIZE: '3',
    UNWRITE_MASTER_KEY_FILE: masterKeyFile,
    UNWRITE_PUBLIC_URL: 'http://unwrite.test',
    UNWRITE_RETRY_DELAY: '1s',
    ...options.environment,
  };
  const operator = join(folder, 'operator');
  mkdirSync(operator);
  const nodes: NodeProcess[] = [];

  async function command(args: readonly string[], dataDir = operator) {
    const result = await runBeside([...args, '--json'], { dataDir, environment: shared });
    if (result.exitCode !== 0) throw new Error(`unwrite ${args.join(' ')}: ${result.stderr}`);
    return JSON.parse(result.stdout);
  }

  return {
    masterKeyFile,
    async add(name, role, environment = {}) {
      const node = makeNode(name, role, {
        dataDir: join(folder, name),
        port: await freePort(),
        environment: { ...shared, UNWRITE_ROLE: role, ...environment },
      });
      nodes.push(node);
      return node;
    },
    command,
    async token(at, controllerId) {
      const args = ['client', 'create', '--controller', controllerId];
      const credentials: Credentials = await command(args);
      return getToken({ ...credentials, token_url: `${at}/oauth/token` });
    },
    async close() {
      await Promise.all(nodes.map((node) => node.kill('SIGKILL')));
    },
  };
}

function makeNode(name: string, role: Role, options: ProcessOptions): NodeProcess {
  const started: ServerProcess[] = [];
  const url = `http://127.0.0.1:${options.port}`;

  function last(): ServerProcess {
    const server = started.at(-1);
    if (server === undefined) throw new Error(`${name} was not started`);
    return server;
  }

  const isRunning = () => {
    const child = started.at(-1)?.child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  };

  return {
    name,
    role,
    url,
    dataDir: options.dataDir,
    process: last,
    isRunning,
    start() {
      const server = spawnServer(options);
      started.push(server);
      return server;
    },
    async untilReady() {
      for (const deadline = Date.now() + READY_MS; ; ) {
        const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
        if (answer?.ok) return;
        if (Date.now() > deadline) {
          throw new Error(`${name} is not ready: ${last().output().slice(-2000)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    kill: async (signal) => (await started.at(-1)?.kill(signal)) ?? null,
    output: () => started.map((server) => server.output()).join('\n'),
  };
}
