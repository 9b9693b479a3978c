// Requests put together from odd parts and damaged by dice. http/raw-sockets.test.ts has each oddity by itself.
import { describe, expect, it } from 'vitest';
import { requestBody } from '../../../protocol/test/helpers/request-body.ts';
import { expectErrorShape } from '../helpers/http/error-shape.ts';
import { holdOpen, readAnswers } from '../helpers/http/raw-socket.ts';
import type { Dice } from '../surgery/make/dice.ts';
import { useHostileWorld } from './hostile-world.ts';
import { diceFor, REPEAT, ROUNDS, report } from './seed.ts';

const REQUESTS = 360 * ROUNDS;
const AT_ONCE = 12;
const ANSWER_MS = 400;

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'TRACE', 'OPTIONS', 'HEAD', 'get', 'G ET', '\0'];
const TARGETS = [
  '/requests',
  '/v2/discovery',
  '/oauth/token',
  '*',
  '//',
  '/%',
  '/../x',
  '/requests/%00',
  'http://localhost/discovery',
  'discovery',
  '/discovery?a=b#c',
  '/health/ready',
  '\\',
  '',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1 ', ''];
const ENDS = ['\r\n', '\r\n', '\r\n', '\n', '\r', '\r\n ', '\0\r\n'];
const HEADERS = [
  'Host: localhost',
  'Host: a',
  'Host:',
  ' Host: x',
  'Host : x',
  'Connection: close',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5, 5',
  'Content-Length: 1e3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: x',
  'Content-Type: application/json',
  'Content-Type:',
  'Content-Type: text/html, application/json',
  'Content-Type: application/json; charset=utf-16',
  'Expect: 100-continue',
  'Expect: x',
  'TE: x',
  'Upgrade: h2c',
  'Connection: upgrade',
  'Content-Encoding: gzip',
  'Range: bytes=0-',
  'X: \u00ff',
  'Authorization: Bearer x',
  'Authorization: Basic Og==',
  'Authorization:',
  'X-Request-Id: \t',
];

function requestOf(dice: Dice, token: string): string {
  // Mostly one oddity at a time: two hide each other.
  const end = () => (dice.chance(0.98) ? '\r\n' : dice.one(ENDS));
  const headers = Array.from({ length: dice.upTo(3) }, () => dice.one(HEADERS));
  if (dice.chance(0.9)) headers.unshift('Host: localhost');
  if (dice.chance(0.5)) headers.push(`Authorization: Bearer ${token}`);
  const method = dice.chance(0.9) ? dice.one(['GET', 'POST', 'DELETE']) : dice.one(METHODS);
  const version = dice.chance(0.9) ? 'HTTP/1.1' : dice.one(VERSIONS);
  const line = `${method} ${dice.one(TARGETS)} ${version}`;
  const body = dice.one([
    '',
    'hello',
    '{}',
    '0\r\n\r\n',
    '5\r\nhello\r\n0\r\n\r\n',
    'fffffffff\r\nx',
  ]);
  const head = [line, ...headers].map((it) => `${it}${end()}`).join('');
  return damage(dice, `${head}\r\n${dice.chance(0.2) ? JSON.stringify(requestBody()) : body}`);
}

function damage(dice: Dice, text: string): string {
  if (dice.chance(0.85)) return text;
  const at = dice.upTo(text.length);
  return text.slice(0, at) + String.fromCharCode(dice.upTo(255)) + text.slice(at + dice.upTo(2));
}

describe(`${REQUESTS} odd requests (${REPEAT})`, () => {
  const world = useHostileWorld();

  it('get the error shape, a good answer or a closed connection', {
    timeout: 60_000 + 60_000 * ROUNDS,
  }, async () => {
    const dice = diceFor('raw http');
    const counts = new Map<string, number>();
    const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

    async function one(): Promise<void> {
      const request = requestOf(dice, world.token());
      const held = await holdOpen(world.url());
      held.socket.end(request, 'latin1');
      const late = setTimeout(() => held.socket.destroy(), ANSWER_MS * 10);
      await held.closed;
      clearTimeout(late);
      const received = await held.received();
      const isHead = /^HEAD /.test(request);
      // A HEAD's answer has a length and no body: only its first line is looked at.
      const answers = isHead ? [] : readAnswers(received);
      if (received === '') count('closed');
      for (const answer of answers) {
        count(String(answer.status));
        expect(answer.status, JSON.stringify(request)).toBeLessThan(500);
        if (answer.status >= 400) expectErrorShape(answer);
      }
      expect(received).not.toContain(world.token());
    }
    const worker = async (share: number) => {
      for (let n = 0; n < share; n++) await one();
    };
    const seen = await world.under(async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => worker(REQUESTS / AT_ONCE)));
    });
    report(`odd requests: ${REQUESTS}, answers ${JSON.stringify(Object.fromEntries(counts))}`);
    expect(seen.during.failures).toEqual([]);
    expect(seen.max.memoryMiB - seen.before.memoryMiB).toBeLessThan(120);
    await world.untilReleased(seen.before);
    expect(world.output()).not.toMatch(/"level":"(error|fatal)"/);
  });
});
