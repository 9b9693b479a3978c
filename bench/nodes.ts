// Several nodes on one store, each a process of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { untilListening } from './servers.ts';

const UNWRITE = fileURLToPath(new URL('../packages/server/bin/unwrite.js', import.meta.url));

export interface Installation {
  readonly storeUrl: string;
  readonly token: string;
  stop(): void;
}

export interface NodesWanted {
  readonly folder: string;
  /** The same on all nodes. */
  readonly environment: Readonly<Record<string, string>> & { readonly UNWRITE_STORE: string };
  readonly api: readonly number[];
  readonly worker: readonly number[];
}

export async function installNodes(wanted: NodesWanted): Promise<Installation> {
  const { folder, environment, api, worker } = wanted;
  const shared = {
    PATH: process.env.PATH ?? '',
    UNWRITE_MASTER_KEY: randomBytes(32).toString('base64'),
    UNWRITE_DATA_DIR: join(folder, 'data'),
    ...environment,
  };
  const unwrite = (...args: string[]) =>
    execFileSync(process.execPath, [UNWRITE, ...args], { env: shared, encoding: 'utf8' });
  const { client_id } = JSON.parse(unwrite('client', 'create', '--controller', 'acme', '--json'));
  const token = unwrite('token', client_id).trim();
  const children: ChildProcess[] = [];
  const start = async (role: string, port: number) => {
    const env = {
      ...shared,
      PORT: String(port),
      UNWRITE_ROLE: role,
      UNWRITE_DATA_DIR: join(folder, `data-${port}`),
    };
    const args = [UNWRITE, 'serve', '--log-level', 'warn'];
    children.push(spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] }));
    await untilListening(port);
  };
  await Promise.all([
    ...api.map((port) => start('api', port)),
    ...worker.map((port) => start('worker', port)),
  ]);
  return {
    storeUrl: environment.UNWRITE_STORE,
    token,
    stop() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}
