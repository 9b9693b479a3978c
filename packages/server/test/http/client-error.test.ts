// What comes behind a request that is being answered, and is no request.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { answerClientError } from '../../src/http/client-error.ts';

it('ends the connection after the answer, and adds one listener however many pieces come', async () => {
  const server = createServer();
  let broken = 0;
  server.on('clientError', (error, socket) => {
    broken++;
    answerClientError(error, socket as Socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const arrived = once(server, 'request');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = (await arrived) as [unknown, ServerResponse];
  const before = response.listenerCount('finish');
  while (broken < 12) {
    client.write('no request at all\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(response.listenerCount('finish')).toBe(before + 1);

  let received = '';
  client.on('data', (piece) => {
    received += String(piece);
  });
  response.end('the answer');
  await once(client, 'close');
  expect(received.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  expect(received).toContain('the answer');
  server.close();
});
