// Floods and slow callers, each for some seconds, its details by dice.
import type { Socket } from 'node:net';
import { requestBody } from '../../../protocol/test/helpers/request-body.ts';
import { call, postJson } from '../helpers/http/api.ts';
import { type HeldConnection, holdOpen, rawRequest } from '../helpers/http/raw-socket.ts';
import type { Dice } from '../surgery/make/dice.ts';

export interface Attack {
  readonly url: string;
  /** Of a controller that is known. */
  readonly token: string;
  readonly dice: Dice;
  /** When to stop: milliseconds of performance.now(). */
  readonly end: number;
}

const HOST = 'Host: localhost';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isOver = ({ end }: Attack) => performance.now() >= end;

/** So many at once, each again and again until the end. What fails is what the server refused. */
async function repeat(attack: Attack, atOnce: number, one: () => Promise<unknown>): Promise<void> {
  const worker = async () => {
    while (!isOver(attack)) await one().catch(() => pause(5));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Does not wait until it is on its way: the server may not read on. */
async function write(attack: Attack, text: string, isReading = true): Promise<HeldConnection> {
  const held = await holdOpen(attack.url, [], { isReading });
  held.socket.write(text, 'latin1');
  return held;
}

/** Open until the end, whatever the server does; then closed. */
async function hold(attack: Attack, sockets: readonly Socket[]): Promise<void> {
  await pause(attack.end - performance.now());
  for (const socket of sockets) socket.destroy();
}

async function connections(attack: Attack): Promise<void> {
  const sockets: Socket[] = [];
  const count = 1500 + attack.dice.upTo(400);
  for (let n = 0; n < count && !isOver(attack); n += 50) {
    const some = await Promise.allSettled(Array.from({ length: 50 }, () => holdOpen(attack.url)));
    for (const one of some) if (one.status === 'fulfilled') sockets.push(one.value.socket);
  }
  await hold(attack, sockets);
}

async function shortConnections(attack: Attack): Promise<void> {
  await repeat(attack, 40, async () => {
    const { socket } = await write(attack, attack.dice.one(['GET', 'GET / HT', '\r', 'x']));
    if (attack.dice.chance(0.5)) socket.resetAndDestroy();
    else socket.destroy();
  });
}

const UNREAD = ['/docs/static/swagger-ui-bundle.js', '/openapi.json', '/docs/', '/', '/discovery'];

async function pipelining(attack: Attack): Promise<void> {
  const { dice } = attack;
  await repeat(attack, 10, async () => {
    const get = (path: string) => rawRequest(`GET ${path} HTTP/1.1`, [HOST]);
    const requests = Array.from({ length: 50 }, () => get(dice.one(UNREAD))).join('');
    const held = await write(attack, requests.repeat(8), dice.chance(0.5));
    await Promise.race([held.closed, pause(50 + dice.upTo(300))]);
    held.socket.destroy();
  });
}

async function slowReaders(attack: Attack): Promise<void> {
  const bearer = `Authorization: Bearer ${attack.token}`;
  const large = rawRequest(`GET ${UNREAD[0]} HTTP/1.1`, [HOST]).repeat(20);
  const small = rawRequest('GET /discovery HTTP/1.1', [HOST, bearer]).repeat(400);
  const sockets: Socket[] = [];
  for (let n = 0; n < 200 && !isOver(attack); n++) {
    const held = await write(attack, attack.dice.chance(0.5) ? large : small, false);
    sockets.push(held.socket);
  }
  await hold(attack, sockets);
}

async function oneByteChunks(attack: Attack): Promise<void> {
  const bearer = `Authorization: Bearer ${attack.token}`;
  const type = 'Content-Type: application/json';
  const chunks = '1\r\n \r\n'.repeat(20_000);
  await repeat(attack, 10, async () => {
    const line = attack.dice.one(['POST /oauth/token HTTP/1.1', 'POST /requests HTTP/1.1']);
    const headers = [HOST, bearer, type, 'Transfer-Encoding: chunked'];
    const held = await write(attack, rawRequest(line, headers));
    for (let n = 0; n < 14; n++) held.socket.write(chunks);
    // What is not accepted yet waits in the system: as many as are open at once, and no more.
    await Promise.race([held.closed, pause(10_000)]);
    held.socket.destroy();
  });
}

async function tokenForms(attack: Attack): Promise<void> {
  const { dice, url } = attack;
  const form = 'application/x-www-form-urlencoded';
  await repeat(attack, 4, () => {
    const field = dice.one(['a&', 'a=b&', '&', '=', '%41=&', '+', 'client_id=x&', '%']);
    const body = field.repeat(Math.floor((200_000 + dice.upTo(62_000)) / field.length));
    return call(`${url}/oauth/token`, { method: 'POST', headers: { 'content-type': form }, body });
  });
}

async function authorizations(attack: Attack): Promise<void> {
  const { dice } = attack;
  await repeat(attack, 8, async () => {
    const filler = dice.one([' ', '\t', '=', 'A', ',', 'Bearer ', '.', '%', ':']);
    const scheme = dice.one(['Basic', 'Bearer', 'Basic ', 'Bearer ', '']);
    const long = filler.repeat(Math.floor((12_000 + dice.upTo(3900)) / filler.length));
    const lines = [HOST, 'Connection: close', `Authorization: ${scheme}${long}!`];
    const path = dice.one(['/oauth/token', '/requests', '/v2/discovery']);
    const text = rawRequest(`POST ${path} HTTP/1.1`, [...lines, 'Content-Length: 0']);
    const held = await write(attack, text);
    await Promise.race([held.closed, pause(5000)]);
    held.socket.destroy();
  });
}

async function madeUpClients(attack: Attack): Promise<void> {
  const { dice, url } = attack;
  await repeat(attack, 16, () =>
    postJson(`${url}/oauth/token`, {
      client_id: `cli_${dice.upTo(2 ** 31)}${'x'.repeat(dice.upTo(200))}`,
      client_secret: 'unwrite_guess',
      audience: 'anything',
      grant_type: 'client_credentials',
    }),
  );
}

async function creates(attack: Attack): Promise<void> {
  const { dice, url, token } = attack;
  await repeat(attack, 24, () => {
    const identities = Array.from({ length: dice.upTo(60) }, (_, n) => ({
      identity_type: 'email',
      identity_value: `${n}@${'x'.repeat(dice.upTo(400))}.example`,
      identity_format: 'raw',
    }));
    return postJson(`${url}/requests`, requestBody({ subject_identities: identities }), token);
  });
}

async function brokenRequests(attack: Attack): Promise<void> {
  const { dice } = attack;
  const lines = ['GET', 'GET / HTTP/1.1\nHost: x\n\n', 'POST /requests HTTP/1.1\r\nA B: c\r\n\r\n'];
  await repeat(attack, 40, async () => {
    const text = dice.chance(0.3) ? '\0'.repeat(dice.upTo(20_000)) : dice.one(lines).repeat(50);
    const held = await write(attack, text);
    await Promise.race([held.closed, pause(100)]);
    held.socket.destroy();
  });
}

export const ATTACKS = {
  'idle connections, 1,500 and more': connections,
  'connections that end at once': shortConnections,
  'hundreds of pipelined requests a connection': pipelining,
  'answers that are never read': slowReaders,
  'bodies in one-byte chunks': oneByteChunks,
  'token forms of a hundred thousand fields': tokenForms,
  'Authorization headers of 16 KB': authorizations,
  'made-up client ids': madeUpClients,
  'creates with up to 60 identities by one controller': creates,
  'broken requests': brokenRequests,
} as const;
