import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IssuerUnavailable } from '../../src/auth/principal.ts';
import { createIssuerKeys, type JwkSet } from '../../src/auth/sso/issuer-keys.ts';
import { type Listener, startListener } from '../helpers/http/listener.ts';
import { startIssuer, type TestIssuer } from '../helpers/http/sso-issuer.ts';

const START = Date.parse('2026-11-15T02:00:00Z');

let issuer: TestIssuer;
let now: number;
beforeEach(async () => {
  issuer = await startIssuer();
  now = START;
});
afterEach(() => issuer.away());

const start = (url = issuer.url) => createIssuerKeys({ issuer: url }, () => now);
const kids = ({ keys }: JwkSet) => keys.map(({ kid }) => kid);
const keyFetches = () => issuer.asked.filter((path) => path === '/jwks').length;
const pass = (seconds: number) => {
  now += seconds * 1000;
};

describe('the keys of an issuer', () => {
  it('are found by discovery and fetched once, however many ask at once', async () => {
    const keys = start();
    const sets = await Promise.all([keys.get(), keys.get(), keys.get()]);
    expect(sets.map(kids)).toEqual([['key-1'], ['key-1'], ['key-1']]);
    await keys.get();
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('are fetched again at once when one is missing, but at most once a minute', async () => {
    const keys = start();
    await keys.get();
    await issuer.rotate();
    expect(kids(await keys.get(true))).toEqual(['key-2']);

    await issuer.rotate();
    for (let second = 0; second < 59; second++) {
      pass(1);
      expect(kids(await keys.get(true))).toEqual(['key-2']);
    }
    expect(keyFetches()).toBe(2);
    pass(1);
    expect(kids(await keys.get(true))).toEqual(['key-3']);
    expect(keyFetches()).toBe(3);
  });

  it('are fetched once for a thousand requests at the same time', async () => {
    const keys = start();
    await keys.get();
    await Promise.all(Array.from({ length: 1000 }, () => keys.get(true)));
    expect(keyFetches()).toBe(2);
  });

  it('are renewed after a quarter of an hour, and the old ones are used in the meantime', async () => {
    const keys = start();
    await keys.get();
    await issuer.rotate();
    let answer = () => {};
    issuer.holdAnswers(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    pass(900);
    expect(kids(await keys.get())).toEqual(['key-1']);
    // The renewal is under way and not answered yet.
    expect(kids(await keys.get())).toEqual(['key-1']);
    const renewed = keys.get(true);
    answer();
    expect(kids(await renewed)).toEqual(['key-2']);
    expect(kids(await keys.get())).toEqual(['key-2']);
  });

  it('stay in use while the issuer is unreachable', async () => {
    const keys = start();
    await keys.get();
    await issuer.away();
    for (let hour = 0; hour < 24; hour++) {
      pass(3600);
      expect(kids(await keys.get())).toEqual(['key-1']);
    }
  });

  it('are not reported as unknown when the issuer could not be asked', async () => {
    const keys = start();
    await keys.get();
    await issuer.away();
    await expect(keys.get(true)).rejects.toThrow(IssuerUnavailable);
    await expect(keys.get(true)).rejects.toThrow(IssuerUnavailable);
    expect(kids(await keys.get())).toEqual(['key-1']);

    await issuer.back();
    await issuer.rotate();
    pass(60);
    expect(kids(await keys.get(true))).toEqual(['key-2']);
  });

  it('are renewed although the clock was set back by a day', async () => {
    const keys = start();
    await keys.get();
    await keys.get(true);
    pass(-86_400);
    await issuer.rotate();
    expect(kids(await keys.get(true))).toEqual(['key-2']);
  });
});

describe('an issuer that is away at start', () => {
  it('is asked again after ten seconds, not with every call', async () => {
    await issuer.away();
    const keys = start();
    await expect(keys.get()).rejects.toThrow(IssuerUnavailable);
    await issuer.back();
    pass(9);
    await expect(keys.get()).rejects.toThrow(IssuerUnavailable);
    expect(issuer.asked).toEqual([]);
    pass(1);
    expect(kids(await keys.get())).toEqual(['key-1']);
  });
});

describe('issuers that are not trusted', () => {
  it.each([
    ['whose metadata name another issuer', { issuer: 'https://elsewhere.example' }],
    ['whose metadata have no issuer', { issuer: undefined }],
    ['whose metadata have no key address', { jwks_uri: undefined }],
    ['whose keys are at an address without TLS', { jwks_uri: 'http://keys.example/jwks' }],
    ['whose keys are in a file', { jwks_uri: 'file:///etc/passwd' }],
    ['whose keys are at no address', { jwks_uri: 'nowhere' }],
  ])('%s', async (_, changes) => {
    issuer.publish({
      metadata: { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks`, ...changes },
    });
    await expect(start().get()).rejects.toThrow(IssuerUnavailable);
  });

  it.each([[null], ['keys'], [{}], [[null]], [['key']]])(
    'an issuer whose list of keys is %j is not trusted',
    async (list) => {
      issuer.publish({ keys: list === null ? 0 : list });
      await expect(start().get()).rejects.toThrow(IssuerUnavailable);
    },
  );

  it('an issuer whose answer is endless is not trusted', async () => {
    issuer.publish({ keys: [{ padding: 'x'.repeat(1_100_000) }] });
    await expect(start().get()).rejects.toThrow(IssuerUnavailable);
  });

  it('an issuer that redirects us elsewhere is not trusted', async () => {
    const elsewhere: Listener = await startListener({ keys: [] });
    const from = await startListener({}, { redirectTo: `${elsewhere.url}/stolen` });
    try {
      await expect(start(from.url).get()).rejects.toThrow(IssuerUnavailable);
      expect(from.asked).toHaveLength(1);
      expect(elsewhere.asked).toEqual([]);
    } finally {
      await from.close();
      await elsewhere.close();
    }
  });

  it.each(['127.0.0.1', 'localhost', '[::1]'])(
    'an issuer that has its keys at another port of %s is not trusted, and that port is not called',
    async (host) => {
      const elsewhere: Listener = await startListener({ keys: [] });
      try {
        const jwks_uri = `http://${host}:${new URL(elsewhere.url).port}/jwks`;
        issuer.publish({ metadata: { issuer: issuer.url, jwks_uri } });
        const refused = await start()
          .get()
          .catch((error: Error) => error);
        expect(refused).toBeInstanceOf(IssuerUnavailable);
        expect(String((refused as Error).cause)).toMatch(/not its own address.*set jwks_uri/);
        expect(elsewhere.asked).toEqual([]);
      } finally {
        await elsewhere.close();
      }
    },
  );
});

describe('keys at an address of their own', () => {
  it('are fetched from there if the operator configured it', async () => {
    const elsewhere: Listener = await startListener({ keys: [{ kid: 'elsewhere' }] });
    try {
      const config = { issuer: 'https://login.acme.example', jwksUri: `${elsewhere.url}/jwks` };
      const keys = createIssuerKeys(config, () => 0);
      expect(kids(await keys.get())).toEqual(['elsewhere']);
    } finally {
      await elsewhere.close();
    }
  });
});
