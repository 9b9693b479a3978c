// A recipe of the operator's own: the one that docs/targets-rest.md shows, against a service that answers as it likes.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestConnector } from '../../../src/connectors/rest/create-rest-connector.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { Connector, Subject } from '../../../src/domain/target/connector.ts';
import { useWrittenTargets } from '../../config/targets/written-targets.ts';
import { type Asked, type FakeService, type Said, startFake } from './fake-service.ts';

const DOCS = new URL('../../../../../docs/targets-rest.md', import.meta.url);
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

function recipeOfDocs(): string {
  const page = readFileSync(DOCS, 'utf8');
  return /```yaml\n(service: Chess club\n[\s\S]*?)```/.exec(page)?.[1] ?? '';
}

type Change = (recipe: string) => string;

/** The target, and the recipe that it names. */
function write(change: Change, fields: object): Readonly<Record<string, unknown>> {
  const recipe = recipeOfDocs().replace(/^origin: .*$/m, `origin: ${fake.url}`);
  written.write('club.yaml', change(recipe));
  return {
    connector: 'rest',
    recipe: './club.yaml',
    controllers: ['acme'],
    settings: { club: 'chess' },
    secrets: { token: 'secret' },
    allow_private: ['127.0.0.1'],
    ...fields,
  };
}

function use(change: Change = (it) => it, fields: object = {}): Connector {
  const target = written.one<'rest'>(write(change, fields));
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

  it('an address that is not public is called only where that is allowed', async () => {
    await expect(use(undefined, { allow_private: false }).preview([jane])).rejects.toMatchObject({
      code: 'address_blocked',
    });
  });
});

describe('a recipe that is wrong', () => {
  const problemsOf = (from: string | RegExp, to: string, fields: object = {}): string =>
    written.problemsOf({ club: write((it) => it.replace(from, to), fields) }).join('\n');

  it.each<[string, string | RegExp, string, RegExp]>([
    [
      'misspells a word',
      'account:',
      'acount:',
      /club\.yaml:\d+: acount: is not a setting; did you mean account/,
    ],
    ['names an unknown value', '{id}', '{uid}', /\{uid\} is not known here; there is \{id\}/],
    [
      'names an unknown filter',
      '{identity}',
      '{identity|rot13}',
      /rot13 is not a filter; there is lower/,
    ],
    ['takes any 404 for absence', /lacks: .*/, 'lacks: 404', /a wrong address is answered 404 too/],
    ['names no status', /has: .*/, 'has: yes', /must be a status from 200 to 499/],
    [
      'has a path without a method',
      /look: .*/,
      'look: /api/members/{id}',
      /must be a method and a path/,
    ],
    ['does not say who is the same', /same: .*/, '', /same: is missing/],
    ['has no way out', /out: .*/, '', /out: is missing/],
    ['searches by what is no identity', 'email:\n', 'phone:\n', /must be one of: email/],
    ['is no YAML', 'objects:', 'objects: [', /club\.yaml: /],
  ])('%s is refused, with its line', (_, from, to, message) => {
    expect(problemsOf(from, to)).toMatch(message);
  });

  it.each<[string, object, RegExp]>([
    ['a setting is missing', { settings: {} }, /settings\.club: is missing: the recipe needs it/],
    ['a secret is missing', { secrets: {} }, /secrets\.token: is missing/],
    [
      'a secret is not asked for',
      { secrets: { token: 's', key: 'k' } },
      /secrets\.key: is not a setting/,
    ],
    ['the file is not there', { recipe: './none.yaml' }, /none\.yaml cannot be read \(ENOENT\)/],
    ['there is no such recipe', { recipe: 'salesfarce' }, /there is no recipe salesfarce/],
    [
      'it is for all controllers',
      { controllers: null },
      /needs "controllers" with the one controller/,
    ],
  ])('where %s', (_, fields, message) => {
    expect(problemsOf('', '', fields)).toMatch(message);
  });

  it('holds until it is released, unless the target says otherwise', () => {
    expect(
      written.one({
        connector: 'rest',
        recipe: 'zendesk',
        controllers: ['acme'],
        settings: { subdomain: 'us' },
        secrets: { email: 'a', token: 'b' },
      }),
    ).toMatchObject({ mode: 'preview' });
  });
});
