// Endpoints that answer in ways that have no end: no answer makes a call longer than its timeout.
import { spawn } from 'node:child_process';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpConnector } from '../../../src/connectors/http/create-http-connector.ts';
import { subjectOf } from '../../helpers/subject.ts';
import { httpTarget } from './endpoint-server.ts';

const anna = subjectOf(1, [['email', 'anna@example.com']]);
const TIMEOUT_MS = 300;
const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n';

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve)));
  server = undefined;
});

/** Answers the first bytes of every call with whatever this writes. */
async function listen(answer: (socket: Socket) => void): Promise<string> {
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => answer(socket));
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/erase`;
}

function again(socket: Socket, text: string, ms: number): void {
  const timer = setInterval(() => socket.write(text), ms);
  socket.once('close', () => clearInterval(timer));
}

describe('a call to an endpoint', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['switches protocols', (socket) => socket.write(UPGRADE), 'http_101'],
    [
      'switches protocols and goes on',
      (socket) => {
        socket.write(UPGRADE);
        again(socket, 'x', 5);
      },
      'http_101',
    ],
    [
      'says 101 without an upgrade',
      (socket) => socket.write('HTTP/1.1 101 Fine\r\n\r\n'),
      'http_101',
    ],
    ['says 100 again and again', (s) => again(s, 'HTTP/1.1 100 Continue\r\n\r\n', 1), 'bad_answer'],
    ['says 103 again and again', (s) => again(s, 'HTTP/1.1 103 Early\r\n\r\n', 1), 'bad_answer'],
    ['says 100 and no more', (s) => s.write('HTTP/1.1 100 Continue\r\n\r\n'), 'timeout'],
    [
      'never ends its headers',
      (s) => {
        s.write(JSON_HEAD);
        again(s, 'x: y\r\n', 20);
      },
      'timeout',
    ],
    ['sends headers without end', (s) => s.write(JSON_HEAD + 'x: y\r\n'.repeat(1e5)), 'bad_answer'],
    [
      'trickles its body',
      (s) => {
        s.write(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n`);
        again(s, '1\r\n \r\n', 10);
      },
      'timeout',
    ],
    ['closes before it answers', (s) => s.end(), 'unreachable'],
    ['closes in its headers', (s) => s.end(JSON_HEAD), 'unreachable'],
    ['closes in its body', (s) => s.end(`${JSON_HEAD}Content-Length: 99\r\n\r\n{`), 'unreachable'],
    ['cuts the connection', (s) => s.resetAndDestroy(), 'unreachable'],
  ])('a call to an endpoint that %s ends in time', async (_, answer, code) => {
    const connector = createHttpConnector(
      httpTarget(await listen(answer), { timeout: TIMEOUT_MS }),
    );
    const started = performance.now();

    await expect(connector.preview([anna])).rejects.toMatchObject({ name: 'TargetDown', code });

    expect(performance.now() - started).toBeLessThan(TIMEOUT_MS + 3000);
  });

  it('is reported by the check, even if nothing else keeps the process alive', async () => {
    const url = await listen((socket) => socket.write(UPGRADE));
    const source = import.meta.resolve('../../../src/connectors/create-connector.ts');
    const target = JSON.stringify(httpTarget(url, { timeout: TIMEOUT_MS }));
    const program = `import { createConnector } from ${JSON.stringify(source)};
      const connector = await createConnector(${target}, { hash: String, domain: 'erase.example' });
      console.log(JSON.stringify(await connector.check()));`;

    const checking = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const lines = JSON.parse(await text(checking.stdout));

    expect(lines.at(-1)).toMatchObject({ level: 'problem', subject: 'endpoint' });
  });
});
