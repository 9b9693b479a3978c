// `unwrite serve` as a process of its own, to be killed, stopped and watched.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Credentials } from '../http/api.ts';
import { bundled } from '../use-bundle.ts';

/** Those of an installed package, where one is given (npm run test:long -- package). */
export const NODE = process.env.UNWRITE_TEST_NODE ?? process.execPath;
export const BIN =
  process.env.UNWRITE_TEST_BIN ??
  bundled(fileURLToPath(new URL('../../../bin/unwrite.js', import.meta.url)));

export interface TestServer {
  readonly url: string;
  /** Everything that it has written so far, to both outputs. */
  output(): string;
  /** Answers how it ended. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ServerProcess extends TestServer {
  readonly child: ChildProcess;
}

export interface ProcessOptions {
  /** Of another version. */
  readonly bin?: string;
  readonly dataDir: string;
  readonly port: number;
  readonly environment?: Record<string, string>;
  readonly flags?: readonly string[];
  /** A command that runs the server and stays out of its way, such as `strace -D`. */
  readonly under?: readonly string[];
}

export function environmentOf({ dataDir, port, environment }: ProcessOptions): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, UNWRITE_DATA_DIR: dataDir, PORT: String(port), ...environment };
}

/** Ready. */
export async function startServerProcess(options: ProcessOptions): Promise<ServerProcess> {
  const server = spawnServer(options);
  await untilReady(server);
  return server;
}

/** On its way: it may not be ready yet, or never get so. */
export function spawnServer(options: ProcessOptions): ServerProcess {
  const line = [
    ...(options.under ?? []),
    NODE,
    options.bin ?? BIN,
    'serve',
    ...(options.flags ?? []),
  ];
  const [command = NODE, ...args] = line;
  const child = spawn(command, args, {
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  return {
    child,
    url: `http://127.0.0.1:${options.port}`,
    output: () => output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

export async function untilReady({
  url,
  child,
  output,
}: Pick<ServerProcess, 'url' | 'child' | 'output'>): Promise<void> {
  // Nothing is promised about it, and a machine may be busy.
  const deadline = Date.now() + 180_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output()}`);
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  child.kill('SIGKILL');
  throw new Error(`the server did not get ready: ${output()}`);
}

/** Resolves when nothing listens there any more. */
export async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    socket.destroy();
    if (refused) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `unwrite …` to its end. */
export function runUnwrite(
  args: readonly string[],
  options: Partial<ProcessOptions> & { readonly cwd?: string } = {},
): CommandResult {
  const { dataDir = '/nonexistent', port = 8080 } = options;
  const result = spawnSync(NODE, [BIN, ...args], {
    env: environmentOf({ ...options, dataDir, port }),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  return { exitCode: result.status, stdout: result.stdout, stderr: result.stderr };
}

export function createClient(options: ProcessOptions, controllerId = 'acme'): Credentials {
  const args = ['client', 'create', '--controller', controllerId, '--json'];
  const result = runUnwrite(args, options);
  if (result.exitCode !== 0) throw new Error(result.stderr);
  return JSON.parse(result.stdout) as Credentials;
}
