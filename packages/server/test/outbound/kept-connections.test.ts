// Connections that several calls use.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { exchange } from '../../src/outbound/exchange.ts';
import { keepConnections } from '../../src/outbound/kept-connections.ts';

it('a connection that is used again gathers no listeners', async () => {
  let count = 0;
  const server = createServer((_, response) => response.end('{}'));
  server.on('connection', () => count++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const kept = keepConnections(url);
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  for (let no = 0; no < 30; no++)
    await exchange(
      {
        method: 'GET',
        url,
        headers: {},
        body: new Uint8Array(),
        read: async (response) => {
          for await (const _ of response);
          return new Uint8Array();
        },
        readsAll: true,
        kept,
        signal: AbortSignal.timeout(5000),
      },
      { refusalOf: () => undefined },
      async () => [{ address: '127.0.0.1', family: 4 }],
    );
  await new Promise((resolve) => setTimeout(resolve, 50));
  kept.close();
  server.closeAllConnections();
  server.close();
  expect(count).toBe(1);
  expect(warnings.map(String)).toEqual([]);
});
