// Addresses of this machine and of private networks, in spellings made by dice, as targets of a connector that may
// not reach them; connectors/http/reach.test.ts has names, redirects and answers that change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpConnector } from '../../src/connectors/http/create-http-connector.ts';
import { isPublic, plainAddress } from '../../src/outbound/public-address.ts';
import {
  type EndpointServer,
  httpTarget,
  startEndpoint,
} from '../connectors/http/endpoint-server.ts';
import { subjectOf } from '../helpers/subject.ts';
import type { Dice } from '../surgery/make/dice.ts';
import { diceFor, REPEAT, ROUNDS, report } from './seed.ts';

const ADDRESSES = 400 * ROUNDS;
type Octets = readonly [number, number, number, number];

/** Of a private network, or of this machine, which alone has something to connect to. */
function octetsOf(dice: Dice): Octets {
  const any = () => dice.upTo(255);
  return dice.one<Octets>([
    [127, 0, 0, 1],
    [127, any(), any(), any()],
    [10, any(), any(), any()],
    [172, 16 + dice.upTo(15), any(), any()],
    [192, 168, any(), any()],
    [169, 254, any(), any()],
    [100, 64 + dice.upTo(63), any(), any()],
    [0, any(), any(), any()],
  ]);
}

function spell(dice: Dice, [a, b, c, d]: Octets): string {
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => value.toString(16);
  const octal = (value: number) => `0${value.toString(8)}`;
  const groups = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  return dice.one([
    `${a}.${b}.${c}.${d}`,
    String(number),
    `0x${hex(number)}`,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((it) => `0x${hex(it)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:FFFF:${groups}]`,
    `[::${groups}]`,
    `[64:ff9b::${groups}]`,
    `[2002:${groups}::]`,
    ...(a === 127 ? ['localhost', 'LOCALHOST', 'localhost.', '[::1]', 'x.localhost'] : []),
  ]);
}

describe(`${ADDRESSES} addresses of private networks (${REPEAT})`, () => {
  let endpoint: EndpointServer;
  beforeAll(async () => {
    endpoint = await startEndpoint(() => ({ subjects: [] }));
  });
  afterAll(() => endpoint.close());

  it('are blocked in every spelling, before anything is sent', {
    timeout: 60_000 + 60_000 * ROUNDS,
  }, async () => {
    const dice = diceFor('ssrf');
    const anna = subjectOf(1, [['email', 'anna@example.com']]);
    for (let n = 0; n < ADDRESSES; n++) {
      const octets = octetsOf(dice);
      const scheme = dice.one(['http', 'https']);
      const user = dice.chance(0.1) ? 'example.com@' : '';
      const url = `${scheme}://${user}${spell(dice, octets)}:${endpoint.port}/`;
      expect(isPublic(plainAddress(octets.join('.')))).toBe(false);
      const target = httpTarget(url, { allowPrivate: false, timeout: 5000 });
      const error = await createHttpConnector(target)
        .preview([anna])
        .catch((it: unknown) => it);
      expect(error, url).toMatchObject({ name: 'TargetDown' });
      expect((error as { code: string }).code, url).toMatch(/^(address_blocked|unreachable)$/);
    }
    report(`private addresses: ${ADDRESSES}, all blocked`);
    expect(endpoint.calls).toHaveLength(0);
  });
});
