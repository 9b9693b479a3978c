// `unwrite serve --demo` of an installed package.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { untilReady } from '../helpers/servers/server-process.ts';

export interface InstalledServer {
  readonly url: string;
  output(): string;
  stop(): Promise<void>;
}

export async function serveInstalled(wanted: {
  readonly node: string;
  readonly bin: string;
  readonly home: string;
  /** The folder that it is started in. */
  readonly place: string;
  readonly port: number;
}): Promise<InstalledServer> {
  const { node, bin, home, place, port } = wanted;
  const child = spawn(node, [bin, 'serve', '--demo'], {
    cwd: place,
    env: { PATH: process.env.PATH, HOME: home, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const url = `http://127.0.0.1:${port}`;
  await untilReady({ url, child, output: () => output });
  return {
    url,
    output: () => output,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    },
  };
}
