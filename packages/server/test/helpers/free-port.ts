import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give to outgoing connections: one of these could take the port between this look
 * and the start of the server that it is for.
 */
const [FIRST, LAST] = [20_000, 32_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
