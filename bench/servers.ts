// The servers under load, each a process of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const UNWRITE = here('../packages/server/bin/unwrite.js');

export interface Rival {
  readonly port: number;
  readonly process: ChildProcess;
  stop(): void;
}

export interface UnwriteServer extends Rival {
  readonly credentials: { client_id: string; client_secret: string; audience: string };
  readonly token: string;
  readonly dataDir: string;
  /** A token of a client of another controller. */
  tokenOf(controllerId: string): string;
}

export async function startRival(
  file: 'floor.ts' | 'textbook.ts' | 'oidc-provider.ts',
  port: number,
  environment: Record<string, string> = {},
): Promise<Rival> {
  const child = spawn(process.execPath, [here(`./${file}`)], {
    env: { ...process.env, PORT: String(port), NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilListening(port);
  return { port, process: child, stop: () => child.kill() };
}

/** `environment`: settings, such as another store than a file. */
export async function startUnwrite(
  port: number,
  environment: Record<string, string> = {},
): Promise<UnwriteServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'unwrite-bench-'));
  const env = {
    PATH: process.env.PATH,
    // One controller asks for everything here.
    UNWRITE_RATE_LIMIT: 'off',
    PORT: String(port),
    UNWRITE_DATA_DIR: dataDir,
    ...environment,
  };
  const unwrite = (...args: string[]) =>
    execFileSync(process.execPath, [UNWRITE, ...args], { env, encoding: 'utf8' });
  const clientOf = (controllerId: string) =>
    JSON.parse(unwrite('client', 'create', '--controller', controllerId, '--json'));
  const credentials = clientOf('acme');
  const token = unwrite('token', credentials.client_id).trim();
  const child = spawn(process.execPath, [UNWRITE, 'serve', '--log-level', 'warn'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilListening(port);
  return {
    port,
    process: child,
    credentials,
    token,
    dataDir,
    tokenOf: (controllerId) => unwrite('token', clientOf(controllerId).client_id).trim(),
    stop() {
      child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`nothing listens on port ${port}`);
}
