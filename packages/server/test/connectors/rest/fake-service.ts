// Services on loopback that keep people as the real ones do: with bins, searches that guess and lag, and faults at any call.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Fault = 'lose the answer' | 'fail before' | 'be busy' | 'be strange';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into freely
  readonly json: any;
}

export interface Said {
  readonly status: number;
  readonly body?: unknown;
}

export interface FakeService {
  readonly url: string;
  readonly calls: string[];
  /** How many were opened. */
  connections: number;
  /** By the number of the call, counted from 1. */
  readonly faults: Map<number, Fault>;
  close(): Promise<void>;
}

export interface FakePeople extends FakeService {
  add(email: string, more?: Readonly<Record<string, unknown>>): void;
  /** Whether it has anything of this person, wherever. */
  has(email: string): boolean;
  /** What a search finds is as old as this was called. */
  index(): void;
  /** Other credentials are sent: those of another account. */
  isForeign: boolean;
}

export async function startFake(answer: (asked: Asked) => Said): Promise<FakeService> {
  const calls: string[] = [];
  const faults = new Map<number, Fault>();
  const server = createServer(async (call, response) => {
    const { method = 'GET', url = '/' } = call;
    const { pathname, searchParams } = new URL(url, 'http://fake');
    const body = await text(call);
    calls.push(`${method} ${pathname}`);
    const fault = faults.get(calls.length);
    const say = ({ status, body: said }: Said) => {
      const headers = { 'content-type': 'application/json', 'retry-after': '0' };
      response.writeHead(status, headers);
      response.end(said === undefined ? undefined : JSON.stringify(said));
    };
    if (fault === 'fail before') return say({ status: 503 });
    if (fault === 'be busy') return say({ status: 429 });
    if (fault === 'be strange') return say({ status: 404, body: { message: 'no such page' } });
    const said = answer({
      method,
      path: pathname,
      query: searchParams,
      authorization: call.headers.authorization ?? '',
      json: body === '' ? undefined : JSON.parse(body),
    });
    if (fault === 'lose the answer') return call.socket.destroy();
    say(said);
  });
  server.on('connection', () => fake.connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    connections: 0,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

const NOT_FOUND = { status: 404, body: { error: 'RecordNotFound', description: 'Not found' } };
const localPart = (email: string) => email.toLowerCase().split('@')[0] ?? '';

export async function startZendesk(): Promise<FakePeople> {
  interface User {
    readonly id: number;
    readonly external_id: unknown;
    email: string | null;
    name: string;
    active: boolean;
    place: 'live' | 'bin' | 'purged';
  }
  const users: User[] = [];
  let indexed: { readonly id: number; readonly email: string }[] = [];
  const shown = ({ place: _, ...user }: User) => user;
  const fake = await startFake(({ method, path, query }) => {
    if (path === '/api/v2/users/me.json') {
      const nobody = { id: null, role: 'end-user', name: 'Anonymous user' };
      return { status: 200, body: { user: people.isForeign ? nobody : { id: 1, role: 'admin' } } };
    }
    if (path === '/api/v2/users/search.json') {
      const email = query.get('query')?.replace(/^email:/, '');
      const found =
        email === undefined
          ? users.filter((user) => String(user.external_id) === query.get('external_id'))
          : // Whatever looks alike, and as it was when the index was made.
            indexed.filter((entry) => localPart(entry.email) === localPart(email));
      const page = Number(query.get('page') ?? 1);
      const next = new URLSearchParams(query);
      next.set('page', String(page + 1));
      const next_page = found.length > page ? `${fake.url}${path}?${next}` : null;
      const items = found.slice(page - 1, page).map((one) => {
        const user = users.find(({ id }) => id === one.id);
        return { ...(user && shown(user)), email: one.email };
      });
      return { status: 200, body: { users: items, next_page, count: found.length } };
    }
    const [, folder, id] = /^\/api\/v2\/(users|deleted_users)\/(\d+)\.json$/.exec(path) ?? [];
    const user = users.find((one) => one.id === Number(id));
    if (user === undefined) return NOT_FOUND;
    if (folder === 'users') {
      if (method === 'GET') return { status: 200, body: { user: shown(user) } };
      if (user.place !== 'live') return NOT_FOUND;
      Object.assign(user, { place: 'bin', active: false });
      return { status: 200, body: { user: shown(user) } };
    }
    if (user.place !== 'bin') return NOT_FOUND;
    if (method === 'GET') return { status: 200, body: { deleted_user: shown(user) } };
    Object.assign(user, { place: 'purged', email: null, name: 'Permanently Deleted User' });
    return { status: 200, body: { deleted_user: shown(user) } };
  });
  const people: FakePeople = Object.assign(fake, {
    isForeign: false,
    add(email: string, { external_id = null }: Readonly<Record<string, unknown>> = {}) {
      const id = 100 + users.length;
      users.push({ id, external_id, email, name: email, active: true, place: 'live' });
      people.index();
    },
    has: (email: string) => users.some((user) => user.email === email),
    index() {
      indexed = users.flatMap(({ id, email, place }) =>
        place === 'live' && email !== null ? [{ id, email }] : [],
      );
    },
  });
  return people;
}

export async function startHubspot(): Promise<FakePeople> {
  interface Contact {
    readonly id: string;
    readonly emails: readonly string[];
    archived: boolean;
  }
  let nextId = 100;
  const contacts = new Map<string, Contact>();
  let indexed: Contact[] = [];
  const missing = { status: 404, body: { status: 'error', category: 'OBJECT_NOT_FOUND' } };
  const fake = await startFake(({ path, query, json }) => {
    if (path === '/account-info/v3/details')
      return { status: 200, body: { portalId: people.isForeign ? 666 : 4711 } };
    if (path === '/crm/v3/objects/contacts/search') {
      const [{ propertyName, value }] = json.filterGroups[0].filters;
      const isFirst = propertyName === 'email';
      const found = indexed.filter(({ emails }) =>
        (isFirst ? emails.slice(0, 1) : emails.slice(1)).some(
          (email) => localPart(email) === localPart(value),
        ),
      );
      const at = Number(json.after ?? 0);
      const results = found.slice(at, at + 1).map(({ id, emails }) => ({
        id,
        properties: { email: emails[0], hs_additional_emails: emails.slice(1).join(';') },
      }));
      const paging = found.length > at + 1 ? { next: { after: String(at + 1) } } : undefined;
      return { status: 200, body: { total: found.length, results, paging } };
    }
    if (path === '/crm/v3/objects/contacts/gdpr-delete') {
      if (json.idProperty !== undefined) throw new Error('erased by an address');
      contacts.delete(json.objectId);
      return { status: 204 };
    }
    const contact = contacts.get(path.split('/').at(-1) ?? '');
    const isArchived = query.get('archived') === 'true';
    if (contact === undefined || contact.archived !== isArchived) return missing;
    return { status: 200, body: { id: contact.id, archived: contact.archived } };
  });
  const people: FakePeople = Object.assign(fake, {
    isForeign: false,
    add(
      email: string,
      { additional = [], archived = false }: Readonly<Record<string, unknown>> = {},
    ) {
      const id = `${nextId++}`;
      const emails = [email, ...(additional as string[])];
      contacts.set(id, { id, emails, archived: archived === true });
      people.index();
    },
    has: (email: string) => [...contacts.values()].some(({ emails }) => emails.includes(email)),
    index() {
      indexed = [...contacts.values()].filter(({ archived }) => !archived);
    },
  });
  return people;
}

export async function startMailchimp(): Promise<FakePeople> {
  const lists = new Map<string, Map<string, string>>();
  for (let no = 0; no < 5; no++) lists.set(`list${no}`, new Map());
  const missing = { status: 404, body: { title: 'Resource Not Found', status: 404 } };
  const fake = await startFake(({ method, path, query }) => {
    if (path === '/3.0/')
      return { status: 200, body: { account_id: people.isForeign ? 'them' : 'us-0815' } };
    if (path === '/3.0/lists') {
      const at = Number(query.get('offset') ?? 0);
      const ids = [...lists.keys()].slice(at, at + Number(query.get('count')));
      return { status: 200, body: { lists: ids.map((id) => ({ id })) } };
    }
    const [, list = '', hash = '', action] =
      /^\/3\.0\/lists\/([^/]+)\/members\/([^/]+)(\/actions\/delete-permanent)?$/.exec(path) ?? [];
    const members = lists.get(list);
    const email = members?.get(hash);
    if (email === undefined) return missing;
    if (action === undefined) return { status: 200, body: { id: hash, email_address: email } };
    if (method !== 'POST') return { status: 405 };
    members?.delete(hash);
    return { status: 204 };
  });
  const people: FakePeople = Object.assign(fake, {
    isForeign: false,
    add(email: string, { list = 'list4' }: Readonly<Record<string, unknown>> = {}) {
      const hash = createHash('md5').update(email.toLowerCase()).digest('hex');
      lists.get(String(list))?.set(hash, email);
    },
    has: (email: string) =>
      [...lists.values()].some((members) => [...members.values()].includes(email)),
    index: () => undefined,
  });
  return people;
}

export async function startBraze(): Promise<FakePeople> {
  interface User {
    readonly braze_id: string;
    readonly external_id: string;
    readonly email: string;
    /** It is still given out twice after it was deleted: that is done in the background. */
    looksLeft: number;
  }
  let nextId = 0;
  let users: User[] = [
    { braze_id: 'b-canary', external_id: 'canary-1', email: 'canary@us.example', looksLeft: -1 },
  ];
  const fake = await startFake(({ path, json }) => {
    if (path === '/users/delete') {
      const ids: readonly string[] = json.braze_ids;
      for (const user of users) if (ids.includes(user.braze_id)) user.looksLeft = 2;
      return { status: 201, body: { deleted: ids.length, message: 'success' } };
    }
    for (const user of users) if (user.looksLeft > 0) user.looksLeft--;
    users = users.filter(({ looksLeft }) => looksLeft !== 0);
    const { external_ids: ids = [], email_address: email, braze_id } = json;
    const found = users.filter(
      (user) =>
        ids.includes(user.external_id) ||
        user.braze_id === braze_id ||
        (email !== undefined && localPart(user.email) === localPart(email)),
    );
    const isCanary = ids.includes('canary-1') && people.isForeign;
    const shown = (isCanary ? [] : found).map(({ looksLeft: _, ...user }) => user);
    return { status: 201, body: { message: 'success', users: shown } };
  });
  const people: FakePeople = Object.assign(fake, {
    isForeign: false,
    add(email: string) {
      nextId++;
      users.push({ braze_id: `b${nextId}`, external_id: `e${nextId}`, email, looksLeft: -1 });
    },
    has: (email: string) => users.some((user) => user.email === email),
    index: () => undefined,
  });
  return people;
}

export async function startOpensearch(): Promise<FakePeople> {
  let nextId = 0;
  const documents = new Map<string, string>();
  const fake = await startFake(({ method, path, json }) => {
    if (path === '/')
      return { status: 200, body: { cluster_uuid: people.isForeign ? 'theirs' : 'ours' } };
    const whole = { timed_out: false, _shards: { total: 1, failed: 0 } };
    const hits = (ids: readonly string[]) =>
      ids.map((_id) => ({
        _index: 'users-1',
        _id,
        _source: { user: { email: documents.get(_id) } },
      }));
    if (path === '/users/_search') {
      const { query, fields, operator } = json.query.multi_match;
      if (fields.join() !== 'user.email') throw new Error('another field');
      if (operator !== 'and') throw new Error('every document with the domain is a hit');
      const words: string[] = query.toLowerCase().split(/\W/);
      const found = [...documents.keys()].filter((id) =>
        words.some((word) => documents.get(id)?.toLowerCase().includes(word)),
      );
      const { from = 0, size } = json;
      return {
        status: 200,
        body: { ...whole, hits: { hits: hits(found.slice(from, from + size)) } },
      };
    }
    if (path === '/users-1/_search') {
      const ids: readonly string[] = json.query.ids.values;
      const found = ids.filter((id) => documents.has(id));
      return { status: 200, body: { ...whole, hits: { hits: hits(found) } } };
    }
    const id = path.replace('/users-1/_doc/', '');
    if (method !== 'DELETE' || id === path) return { status: 400 };
    const isThere = documents.delete(id);
    return isThere
      ? { status: 200, body: { result: 'deleted' } }
      : { status: 404, body: { result: 'not_found' } };
  });
  const people: FakePeople = Object.assign(fake, {
    isForeign: false,
    add: (email: string) => void documents.set(`d${++nextId}`, email),
    has: (email: string) => [...documents.values()].includes(email),
    index: () => undefined,
  });
  return people;
}
