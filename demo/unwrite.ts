// Unwrite as an operator and a controller use it: the command line, and HTTP.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Tests give that of an installed package. */
const BIN =
  process.env.UNWRITE_TEST_BIN ??
  fileURLToPath(new URL('../packages/server/bin/unwrite.js', import.meta.url));

export interface Unwrite {
  readonly url: string;
  /** Runs `unwrite …` and answers what it printed. */
  print(...args: string[]): string;
  /** The same with `--json`, read. */
  command(...args: string[]): unknown;
  stop(): Promise<void>;
  /** The process: it exits when it is stopped. */
  readonly ended: EventEmitter;
  /** Ctrl-C was pressed: what fails from now on fails because of that. */
  isStopping(): boolean;
}

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** On PORT, or a free port, and without a wait for cancellations, unless `environment` says otherwise. */
export async function startUnwrite(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Unwrite> {
  const port = environment.PORT || process.env.PORT || (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...withoutSettings(process.env),
    PORT: String(port),
    UNWRITE_PUBLIC_URL: url,
    UNWRITE_CANCELLATION_WINDOW: '0s',
    UNWRITE_LOG_LEVEL: 'warn',
    ...environment,
  };
  // Not a terminal to it: at one, it would print a link into its console each time that it is started.
  const stdio = ['inherit', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, [BIN, 'serve'], { cwd: folder, env, stdio: [...stdio] });
  child.stdout?.pipe(process.stdout);
  let stopping = false;
  async function stop(): Promise<void> {
    if (hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  }
  for (const [signal, exitCode] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      stopping = true;
      stop().then(() => process.exit(exitCode));
    });
  }
  await untilReady(url, child);
  function print(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`unwrite ${args.join(' ')}: ${stderr}`);
    return stdout;
  }
  return {
    url,
    print,
    command: (...args) => JSON.parse(print(...args, '--json')),
    stop,
    ended: child,
    isStopping: () => stopping,
  };
}

/** The demo must not use an existing installation of the user. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !/^(UNWRITE_.*|HOST)$/.test(name));
  return Object.fromEntries(kept);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (hasEnded(child)) throw new Error('the server did not start');
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
