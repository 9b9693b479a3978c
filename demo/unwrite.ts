// Unwrite as an operator and a controller use it: the command line, and HTTP.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../packages/server/bin/unwrite.js', import.meta.url));

export interface Unwrite {
  readonly url: string;
  /** Runs `unwrite … --json` and answers what it printed. */
  command(...args: string[]): unknown;
  stop(): Promise<void>;
}

export async function startUnwrite(folder: string): Promise<Unwrite> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    PORT: String(port),
    UNWRITE_PUBLIC_URL: url,
    UNWRITE_CANCELLATION_WINDOW: '0s',
    UNWRITE_LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [BIN, 'serve'], { cwd: folder, env, stdio: 'inherit' });
  await untilReady(url, child);
  return {
    url,
    command(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args, '--json'], {
        cwd: folder,
        env,
        encoding: 'utf8',
        maxBuffer: 256 * 1024 * 1024,
      });
      if (status !== 0) throw new Error(`unwrite ${args.join(' ')}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('the server did not start');
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
