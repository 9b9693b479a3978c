import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give to outgoing connections: one of these could take the port between this look
 * and the start of the server that it is for.
 */
const [FIRST, LAST] = [20_000, 32_000];
/** So does another worker of the run: each has ports of its own, and gives each to one test. */
const WORKERS = 8;
const OWN = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS;
const given = new Set<number>();

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST / WORKERS, LAST / WORKERS) * WORKERS + OWN;
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
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
