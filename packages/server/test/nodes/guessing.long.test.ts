// A secret is guessed at through several nodes at once: they count together.
import { hash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { inParallel } from '../e2e/set-up/installation.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import type { Credentials } from '../helpers/http/api.ts';
import { postToken, tokenFields } from '../helpers/http/token-request.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';

const AT_ONCE = 24;
const MAX_PER_ADDRESS = 10;
const MAX_PER_CLIENT = 100;

describe.skipIf(!(await hasPostgres()))('guesses at a secret, spread over two nodes', () => {
  let installation: TestNodes;
  let acme: Credentials;
  afterEach(() => installation.close());

  async function install(flags: Record<string, unknown>): Promise<void> {
    installation = await startNodes({ roles: ['api', 'api'], flags });
    acme = await installation.command('client', 'create', '--controller', 'acme');
  }

  async function tryAt(node: number, secret: string, from: string): Promise<number> {
    const { url = '' } = installation.nodes[node % installation.nodes.length] ?? {};
    const fields = tokenFields({ ...acme, client_secret: secret });
    const answer = await postToken(url, 'json', fields, { 'x-forwarded-for': from });
    return answer.status;
  }

  /** How many guesses got which answer. */
  async function guess(
    count: number,
    addressOf: (n: number) => string,
  ): Promise<Record<number, number>> {
    const guesses = Array.from({ length: count }, (_, n) => n);
    const answers = await inParallel(guesses, AT_ONCE, (n) =>
      tryAt(n, `unwrite_guess_${n}`, addressOf(n)),
    );
    return Object.fromEntries(
      [...Map.groupBy(answers, (status) => status)].map(([status, all]) => [status, all.length]),
    );
  }

  /** A look at a secret that did not fit is counted under the client, whichever node it was. */
  async function lookedAt(): Promise<number> {
    const key = hash('sha256', acme.client_id, 'buffer').subarray(0, 16);
    const row = await installation.database.get<{ count: number }>(
      'SELECT count FROM @login_failures WHERE key = $1',
      [key],
    );
    return row?.count ?? 0;
  }

  it('of 10,000 guesses from hundreds of addresses a few hundred are checked, the rest is turned away', {
    timeout: 180_000,
  }, async () => {
    await install({ trustProxy: 1 });
    const addresses = 200;
    // Each address goes to both nodes.
    const addressOf = (n: number) => `10.1.0.${Math.floor(n / 2) % addresses}`;
    const answers = await guess(10_000, addressOf);
    expect(Object.keys(answers)).toEqual(['401', '429']);
    // Those that were on their way when the hundredth failed, and those that a busy node has not heard of yet.
    expect(answers[401]).toBeLessThan(5 * MAX_PER_CLIENT);
    const looked = await lookedAt();
    expect(looked).toBeGreaterThanOrEqual(answers[401] ?? 0);
    // Each node gives an address that it has not seen one look.
    expect(looked).toBeLessThan(MAX_PER_CLIENT + installation.nodes.length * addresses + AT_ONCE);
    for (const node of [0, 1]) {
      expect(await tryAt(node, acme.client_secret, '192.0.2.9')).toBe(200);
      expect(await tryAt(node, acme.client_secret, '10.1.0.7')).toBe(429);
    }
  });

  it('guesses that make up addresses in X-Forwarded-For count for one address', async () => {
    await install({});
    const answers = await guess(1000, (n) => `10.${n >> 8}.${n & 255}.1`);
    expect(Object.keys(answers)).toEqual(['401', '429']);
    // A node learns of the other's failures with its own next one.
    expect(answers[401]).toBeLessThanOrEqual(2 * MAX_PER_ADDRESS);
    expect(await lookedAt()).toBe(answers[401]);
  });
});
