// A thousand connections that send a byte now and then: others are served, and the slow ones are cut.
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { holdOpen, rawRequest } from '../helpers/http/raw-socket.ts';
import { rowOf, useHostileWorld } from './hostile-world.ts';
import { diceFor, REPEAT, report } from './seed.ts';

const CONNECTIONS = 1000;
/** Headers have 10 s and a look at them every few; bodies have 30 s. */
const PATIENCE_MS = 60_000;

describe(`a thousand slow connections (${REPEAT})`, () => {
  const world = useHostileWorld();

  it('are all cut, while others keep their latency', { timeout: 180_000 }, async () => {
    const dice = diceFor('slow connections');
    const starts = [
      '',
      'GET /discovery HTTP/1.1\r\nHost: localhost\r\nX: ',
      rawRequest('POST /oauth/token HTTP/1.1', [
        'Host: localhost',
        'Content-Type: application/json',
        'Content-Length: 100000',
      ]),
    ];
    let cut = 0;
    const seen = await world.under(async () => {
      const sockets: Socket[] = [];
      for (let n = 0; n < CONNECTIONS; n++) {
        const { socket, closed } = await holdOpen(world.url());
        void closed.then(() => cut++);
        socket.write(dice.one(starts));
        sockets.push(socket);
      }
      const dribble = setInterval(() => {
        for (const socket of sockets)
          if (socket.writable && dice.chance(0.2)) socket.write(dice.one(['x', ' ', '1']));
      }, 1000);
      const end = performance.now() + PATIENCE_MS;
      while (cut < CONNECTIONS && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 250));
      clearInterval(dribble);
      for (const socket of sockets) socket.destroy();
    });
    report(rowOf('1,000 slow connections', seen));
    expect(cut).toBe(CONNECTIONS);
    expect(seen.during.failures).toEqual([]);
    expect(seen.during.p50).toBeLessThan(Math.max(250, 3 * seen.busy.p50));
    expect(seen.max.memoryMiB - seen.before.memoryMiB).toBeLessThan(100);
    await world.untilReleased(seen.before);
  });
});
