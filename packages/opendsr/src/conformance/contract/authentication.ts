import { randomUUID } from 'node:crypto';
import type { Check } from '../check.ts';
import { NotApplicable, Violation } from '../findings.ts';
import type { Kit } from '../kit.ts';
import { requireRefused } from '../requirements.ts';

const ENDPOINTS = [
  ['discovery', () => ({ path: '/discovery' })],
  ['create', () => ({ method: 'POST', path: '/requests', body: '{}' })],
  ['status', () => ({ path: `/requests/${randomUUID()}` })],
  ['cancel', () => ({ method: 'DELETE', path: `/requests/${randomUUID()}` })],
] as const;

const withoutToken = ENDPOINTS.map(
  ([name, request]): Check => ({
    id: `contract.auth.${name}.none`,
    clause: 'Contract 5.1',
    level: 'MUST',
    rule: `refuses ${name} without a token`,
    run: async (kit) => requireUnauthenticated(await kit.send(request(), null)),
  }),
);

const withWrongToken = ENDPOINTS.map(
  ([name, request]): Check => ({
    id: `contract.auth.${name}.wrong`,
    clause: 'Contract 5.1',
    level: 'MUST',
    rule: `refuses ${name} with a token that it did not issue`,
    run: async (kit) =>
      requireUnauthenticated(await kit.send(request(), 'Bearer conformance.invalid.token')),
  }),
);

/** 400 and 404 would mean that it looked at the request first. */
function requireUnauthenticated(exchange: Parameters<typeof requireRefused>[0]): void {
  requireRefused(exchange);
  const { status } = exchange.answer;
  if (status !== 401 && status !== 403) {
    throw new Violation(`expected 401, got ${status}: it was read without a token`, exchange);
  }
}

function tokenOf(kit: Kit): NonNullable<Kit['token']> {
  if (kit.token === undefined) {
    throw new NotApplicable('the credentials are not those of OAuth clients');
  }
  return kit.token;
}

export const authenticationChecks: readonly Check[] = [
  {
    id: 'contract.token.answer',
    clause: 'Contract 5.3, 5.4',
    level: 'MUST',
    rule: 'gives an access_token for client credentials in JSON',
    async run(kit) {
      const exchange = await tokenOf(kit)({});
      const token = exchange.json?.access_token;
      if (exchange.answer.status === 200 && typeof token === 'string' && token !== '') return;
      // What was sent has a secret in it, and what came back a token.
      throw new Violation(`expected 200 with access_token, got ${exchange.answer.status}`);
    },
  },
  {
    id: 'contract.token.secret',
    clause: 'Contract 5.2',
    level: 'MUST',
    rule: 'gives no token for a wrong secret',
    run: async (kit) => requireRefused(await tokenOf(kit)({ client_secret: 'wrong' })),
  },
  {
    id: 'contract.token.expiry',
    clause: 'Contract 5.5',
    level: 'SHOULD',
    rule: 'says how long a token is valid (expires_in)',
    async run(kit) {
      const exchange = await tokenOf(kit)({});
      if (exchange.answer.status !== 200) throw new NotApplicable('there is no token');
      const seconds = exchange.json?.expires_in;
      if (typeof seconds === 'number' && seconds > 0) return;
      throw new Violation('expires_in must be a number of seconds');
    },
  },
  {
    id: 'contract.token.audience',
    clause: 'Contract 5.3',
    level: 'SHOULD',
    rule: 'takes no token that was given for another audience',
    async run(kit) {
      const { status } = (await kit.discovery()).answer;
      if (status !== 200) throw new NotApplicable(`discovery answers ${status}`);
      const given = await tokenOf(kit)({ audience: 'https://conformance.invalid' });
      const token = given.json?.access_token;
      if (given.answer.status !== 200 || typeof token !== 'string') return;
      const request = { path: '/discovery' };
      const { answer } = await kit.send(request, `Bearer ${token}`);
      if (answer.status === 401 || answer.status === 403) return;
      // What was sent is a token.
      throw new Violation(`expected 401 for discovery with such a token, got ${answer.status}`);
    },
  },
  ...withoutToken,
  ...withWrongToken,
  {
    id: 'contract.auth.challenge',
    clause: 'RFC 6750 3, for Contract 5.1',
    level: 'SHOULD',
    rule: 'says in WWW-Authenticate: Bearer what a call without a token lacks',
    async run(kit) {
      const refusal = await kit.send({ path: '/discovery' }, null);
      const { status, headers } = refusal.answer;
      if (status !== 401) throw new NotApplicable(`the answer is ${status}, not 401`);
      if (/^bearer\b/i.test(headers.get('www-authenticate') ?? '')) return;
      throw new Violation('the header WWW-Authenticate is missing, or not Bearer', refusal);
    },
  },
];
