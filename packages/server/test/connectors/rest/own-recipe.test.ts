// A recipe of the operator's own: the one that docs/targets-rest.md shows, against a service that answers as it likes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestConnector } from '../../../src/connectors/rest/create-rest-connector.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { Connector, Subject } from '../../../src/domain/target/connector.ts';
import { useWrittenTargets } from '../../config/targets/written-targets.ts';
import { type ClubChange, writeClub } from './club-recipe.ts';
import { type Asked, type FakeService, type Said, startFake } from './fake-service.ts';

const JANE = 'jane+1@example.com';

const written = useWrittenTargets();
let fake: FakeService;
let connector: Connector | undefined;
/** Of the service: members by id, and what it answers in place of that. */
let members: Map<string, string>;
let instead: (asked: Asked) => Said | undefined;

beforeEach(async () => {
  members = new Map([
    ['7', JANE],
    ['8', 'jane@example.com'],
  ]);
  instead = () => undefined;
  fake = await startFake((asked) => instead(asked) ?? answer(asked));
});
afterEach(async () => {
  await connector?.close();
  await fake.close();
});

function answer({ method, path, query, authorization }: Asked): Said {
  if (authorization !== 'Bearer secret') return { status: 401 };
  if (path === '/api/me') return { status: 200, body: { club: 'chess' } };
  if (path === '/api/members') {
    const hits = [...members]
      .filter(([, email]) => email.startsWith(query.get('email')?.slice(0, 4) ?? ''))
      .map(([id, email]) => ({ id: Number(id), email }));
    const cursor = Number(query.get('cursor') ?? 0);
    const isLast = cursor + 1 >= hits.length;
    return {
      status: 200,
      body: { members: hits.slice(cursor, cursor + 1), next: isLast ? null : cursor + 1 },
    };
  }
  const id = path.split('/').at(-1) ?? '';
  if (!members.has(id)) return { status: 404, body: { code: 'no_such_member' } };
  if (method === 'DELETE') members.delete(id);
  return method === 'DELETE' ? { status: 204 } : { status: 200, body: { id: Number(id) } };
}

function use(change: ClubChange = (it) => it, fields: object = {}): Connector {
  const target = written.one<'rest'>(writeClub(written, fake.url, { change, fields }));
  connector = createRestConnector(target, { pause: async () => undefined });
  return connector;
}

const subject = (...identities: Identity[]): Subject =>
  ({ taskNo: 1, controllerId: 'acme', subjectRequestId: 'one', identities }) as unknown as Subject;
const jane = subject(new Identity('email', JANE));

const previewed = async () => (await use().preview([jane]))[0];

describe('the recipe of the docs', () => {
  it('finds the person on every page, by our own comparison', async () => {
    expect(await previewed()).toMatchObject({
      outcome: 'found',
      counts: { members: 1 },
      keys: { members: [['7']] },
    });
    expect(fake.calls.filter((call) => call === 'GET /api/members')).toHaveLength(2);
  });

  it('searches with small letters too: to some services, case matters', async () => {
    const loud = subject(new Identity('email', JANE.toUpperCase()));
    expect(await use().preview([loud])).toMatchObject([{ counts: { members: 1 } }]);
  });

  it('erases by key, and says what remains', async () => {
    const club = use();
    const order = { ...jane, keys: { members: [['7']] }, counts: { members: 1 } };
    expect(await club.verify([order])).toMatchObject([
      { outcome: 'remains', counts: { members: 1 } },
    ]);
    const erased = await club.erase([jane], {
      decide: () => [order],
      record: async () => true,
    });
    expect(erased).toMatchObject([{ outcome: 'erased', counts: { members: 1 } }]);
    expect(await club.verify([order])).toMatchObject([{ outcome: 'gone', how: 'requeried' }]);
    expect([...members.keys()]).toEqual(['8']);
  });

  it('uses one connection for many calls', async () => {
    await previewed();
    expect(fake.calls.length).toBeGreaterThan(3);
    expect(fake.connections).toBe(1);
  });

  it('cannot use identities of other types', async () => {
    expect(await use().preview([subject(new Identity('controller_customer_id', '7'))])).toEqual([
      { outcome: 'unmatched' },
    ]);
  });

  it('names what it was written from, once it erases', async () => {
    const lines = await use(undefined, { mode: 'erase' }).check();
    expect(lines.find(({ subject: about }) => about === 'mode')?.message).toContain(
      'was written from https://api.chess.example/docs',
    );
  });

  it('has no problem in its check, and says what stays', async () => {
    const lines = await use().check();
    expect(lines.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(lines.map(({ subject: about }) => about)).toContain('leaves');
  });
});

describe('an answer that the recipe does not name', () => {
  it.each<[string, (asked: Asked) => Said | undefined, RegExp]>([
    [
      'a 404 of another kind',
      ({ path }) => (path.endsWith('/7') ? { status: 404, body: { message: 'gone?' } } : undefined),
      /answered 404 to GET \/api\/members\/\{id\}, in a way that the recipe does not name/,
    ],
    [
      'no list where one should be',
      ({ path }) => (path === '/api/members' ? { status: 200, body: { data: [] } } : undefined),
      /without the list "members"/,
    ],
    [
      'text in place of JSON',
      ({ path }) => (path === '/api/members' ? { status: 200, body: undefined } : undefined),
      /without the list "members"/,
    ],
    [
      'an object without a key',
      ({ path }) =>
        path === '/api/members' ? { status: 200, body: { members: [{ email: JANE }] } } : undefined,
      /an object without "id"/,
    ],
    [
      'a key that would lead elsewhere',
      ({ path }) =>
        path === '/api/members'
          ? { status: 200, body: { members: [{ email: JANE, id: '..' }] } }
          : undefined,
      /whose key cannot be put into/,
    ],
    [
      'an object without what is compared',
      ({ path }) =>
        path === '/api/members' ? { status: 200, body: { members: [{ id: 7 }] } } : undefined,
      /an object whose "email" is no text/,
    ],
    [
      'a list of objects where texts are compared',
      ({ path }) =>
        path === '/api/members'
          ? { status: 200, body: { members: [{ id: 7, email: [{ value: JANE }] }] } }
          : undefined,
      /an object whose "email" is no text/,
    ],
    [
      'a number that JavaScript rounds, as what is compared',
      ({ path }) =>
        path === '/api/members'
          ? { status: 200, body: { members: [{ id: 7, email: 2 ** 60 }] } }
          : undefined,
      /an object whose "email" is no text/,
    ],
    [
      'a number that JavaScript rounds, as the next page',
      ({ path }) =>
        path === '/api/members' ? { status: 200, body: { members: [], next: 2 ** 60 } } : undefined,
      /a next page that is no text/,
    ],
    [
      'pages without end',
      ({ path }) =>
        path === '/api/members' ? { status: 200, body: { members: [], next: 1 } } : undefined,
      /more than 100 pages/,
    ],
  ])('%s fails for the person, and names nobody', async (_, said, message) => {
    instead = said;
    const answered = await previewed();
    expect(answered).toMatchObject({ outcome: 'failed', detail: expect.stringMatching(message) });
    expect(JSON.stringify(answered)).not.toMatch(/jane|secret/);
  });

  it.each<[string, Said, string]>([
    ['refused credentials', { status: 401 }, 'auth_refused'],
    ['a redirect', { status: 302 }, 'redirected'],
    ['a service that is down', { status: 502 }, 'http_502'],
    ['a service that is busy', { status: 429 }, 'rate_limited'],
    ['another account', { status: 200, body: { club: 'golf' } }, 'wrong_account'],
  ])('%s stops the target', async (_, said, code) => {
    instead = () => said;
    await expect(previewed()).rejects.toMatchObject({ name: 'TargetDown', code });
  });

  it.each([
    [403, 'auth_refused'],
    [500, 'http_500'],
  ])(
    'a %i about one person keeps nobody else waiting, as long as the account is proved',
    async (status, code) => {
      members.set('9', 'jane9@example.com');
      const [club, nine] = [use(), subject(new Identity('email', 'jane9@example.com'))];
      const orders = [
        { ...jane, keys: { members: [['7']] }, counts: { members: 1 } },
        { ...nine, taskNo: 2, keys: { members: [['9']] }, counts: { members: 1 } },
      ];
      instead = ({ method, path }) =>
        method === 'DELETE' && path.endsWith('/7') ? { status } : undefined;
      const steps = { decide: () => orders, record: async () => true };
      expect(await club.erase([jane, { ...nine, taskNo: 2 }], steps)).toMatchObject([
        { outcome: 'failed', code, mayHaveErased: true },
        { outcome: 'erased', counts: { members: 1 } },
      ]);
      instead = ({ path }) => (path.endsWith('/7') ? { status } : undefined);
      expect(await club.preview([jane, nine])).toMatchObject([
        { outcome: 'failed', code },
        { outcome: 'found', counts: {} },
      ]);
    },
  );

  it('a next page elsewhere is not called, and gets no credentials', async () => {
    instead = ({ path }) =>
      path === '/api/members'
        ? { status: 200, body: { members: [], next: 'https://elsewhere.example/members' } }
        : undefined;
    const club = use((it) => it.replace(/next: \{.*\}/, 'next: { link: next }'));
    expect(await club.preview([jane])).toMatchObject([
      { outcome: 'failed', detail: expect.stringMatching(/a next page at another address/) },
    ]);
  });

  it('a page without JSON is not absence, whatever it does not have', async () => {
    const lacks = 'lacks: { status: 200, where: { member: null } }';
    const club = use((it) => it.replace(/lacks: .*/, lacks));
    instead = ({ path }) => (path.endsWith('/7') ? { status: 200 } : undefined);
    expect(await club.preview([jane])).toMatchObject([{ counts: { members: 1 } }]);
  });

  it('an answer may be the list itself, and an object in it must be one', async () => {
    const club = use((it) => it.replace('        items: members\n', ''));
    let body: unknown = [{ id: 7, email: JANE }];
    instead = ({ path }) => (path === '/api/members' ? { status: 200, body } : undefined);
    expect(await club.preview([jane])).toMatchObject([{ counts: { members: 1 } }]);
    body = [];
    expect(await club.preview([jane])).toMatchObject([{ outcome: 'found', counts: {} }]);
    body = null;
    expect(await club.preview([jane])).toMatchObject([{ outcome: 'failed', code: 'bad_answer' }]);
  });

  it('the one object of an answer without JSON is not somebody else', async () => {
    const club = use((it) => it.replace('        items: members\n', ''));
    instead = ({ path }) => (path === '/api/members' ? { status: 200 } : undefined);
    expect(await club.preview([jane])).toMatchObject([{ outcome: 'failed', code: 'bad_answer' }]);
  });

  it('a number that JavaScript rounds does not prove the account', async () => {
    instead = ({ path }) =>
      path === '/api/me' ? { status: 200, body: { club: 2 ** 53 } } : undefined;
    const club = use(undefined, { settings: { club: String(2 ** 53) } });
    await expect(club.preview([jane])).rejects.toMatchObject({ code: 'wrong_account' });
  });

  it('credentials in the address are sent for each page, and pages in a body are named there', async () => {
    const seen: string[] = [];
    instead = ({ path, query, json }) => {
      seen.push(`${query.get('token')} ${json?.cursor}`);
      if (path === '/api/me') return { status: 200, body: { club: 'chess' } };
      return { status: 200, body: { members: [], next: seen.length < 3 ? '/api/more' : null } };
    };
    const byQuery = (it: string) => it.replace(/auth: .*/, 'auth: { query: { token: "{token}" } }');
    await use((it) => byQuery(it).replace(/next: \{.*\}/, 'next: { link: next }')).preview([jane]);
    expect(seen).toEqual(Array(3).fill('secret undefined'));
    await connector?.close();
    seen.length = 0;
    const call = 'call: POST /api/members\n        json: { mail: "{identity}" }';
    const size = 'next: { offset: cursor, size: 1 }';
    instead = ({ path, json }) => {
      seen.push(JSON.stringify(json?.cursor));
      if (path === '/api/me') return { status: 200, body: { club: 'chess' } };
      return { status: 200, body: { members: seen.length < 3 ? [{ id: 1, email: '' }] : [] } };
    };
    await use((it) =>
      it.replace('call: GET /api/members?email={identity}', call).replace(/next: \{.*\}/, size),
    ).preview([jane]);
    expect(seen.slice(1)).toEqual([undefined, '1']);
  });

  it('an address that is not public is called only where that is allowed', async () => {
    await expect(use(undefined, { allow_private: false }).preview([jane])).rejects.toMatchObject({
      code: 'address_blocked',
    });
  });
});
