// The busiest calls over HTTP, with each store, against the framework alone and against the textbook.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startGuarded } from '../packages/server/test/helpers/databases/guarded-server.ts';
import { makeTemporaryFolder } from '../packages/server/test/helpers/temporary-folder.ts';
import { compare, type Entrant, hold, type Rounds, type Standings } from './contest.ts';
import { fillStore, storedIds } from './fill-store.ts';
import { type Rival, startRival, startUnwrite, type UnwriteServer } from './servers.ts';
import { sqliteIds } from './sqlite-ids.ts';

const FLOOR = 'floor';
const TEXTBOOK = 'textbook';
const SQLITE = 'SQLite';
const POSTGRES = 'PostgreSQL';
const PROVIDER = 'oidc-provider, JWT';

const IDS = 20_000;
/** Pool size of the textbook server; ours uses its setting. */
const POOL_SIZE = '20';

export interface HttpContest {
  readonly rounds: Rounds;
  /** In a second store on PostgreSQL, if any: it is compared with an empty one. */
  readonly stored: number;
  readonly say: (line: string) => void;
}

interface StoredIn {
  readonly title: string;
  readonly schema: string;
}

interface Field {
  /** Of the PostgreSQL server. */
  readonly url: string;
  readonly floor: Rival;
  readonly textbook: Rival;
  readonly sqlite: UnwriteServer;
  /** The first is empty. */
  readonly postgres: readonly (UnwriteServer & StoredIn)[];
}

export async function contestHttp({ rounds, stored, say }: HttpContest): Promise<void> {
  const folder = makeTemporaryFolder();
  const server = await startGuarded('durable-postgres');
  const started: Rival[] = [];
  const keep = async <It extends Rival>(starting: Promise<It>): Promise<It> => {
    const it = await starting;
    started.push(it);
    return it;
  };
  try {
    const field = await enter(`${server.url}postgres`, stored, keep);
    sayAll('create', await hold('create', entrants(field, creates()), rounds), field, say);
    const status = entrants(field, await statusOf(field, folder.path));
    sayAll('status', await hold('status', status, rounds), field, say);
    const provider = await keep(startRival('oidc-provider.ts', 18_083));
    const tokens = await hold('token', tokenEntrants(field.sqlite, provider), rounds);
    say(compare('token', tokens, SQLITE, PROVIDER));
  } finally {
    for (const it of started) it.stop();
    await server.close();
    folder.remove();
  }
}

async function enter(
  url: string,
  stored: number,
  keep: <It extends Rival>(starting: Promise<It>) => Promise<It>,
): Promise<Field> {
  const stores = [{ title: POSTGRES, schema: 'none', requests: 0 }];
  const title = `${POSTGRES}, ${stored.toLocaleString('en')} stored`;
  if (stored > 0) stores.push({ title, schema: 'many', requests: stored });
  const postgres: (UnwriteServer & StoredIn)[] = [];
  for (const [index, { title, schema, requests }] of stores.entries()) {
    await fillStore(url, schema, requests);
    const environment = { UNWRITE_STORE: url, UNWRITE_STORE_SCHEMA: schema };
    postgres.push({ ...(await keep(startUnwrite(18_091 + index, environment))), title, schema });
  }
  return {
    url,
    floor: await keep(startRival('floor.ts', 18_081)),
    textbook: await keep(startRival('textbook.ts', 18_085, { DATABASE_URL: url, POOL_SIZE })),
    sqlite: await keep(startUnwrite(18_082)),
    postgres,
  };
}

type MakeLoad = (name: string, server: Rival & { readonly token?: string }) => Entrant['load'];

function entrants({ floor, textbook, sqlite, postgres }: Field, makeLoad: MakeLoad): Entrant[] {
  const named = [
    { name: FLOOR, server: floor },
    { name: TEXTBOOK, server: textbook },
    { name: SQLITE, server: sqlite },
    ...postgres.map((server) => ({ name: server.title, server })),
  ];
  return named.map(({ name, server }) => {
    return { name, process: server.process, load: makeLoad(name, server) };
  });
}

function creates(): MakeLoad {
  return (_, { port, token = '' }) => ({ kind: 'create', port, token });
}

/** Of requests that each has stored; the floor has none. */
async function statusOf(field: Field, folder: string): Promise<MakeLoad> {
  const theirs = await textbookIds(field.url);
  const ids = new Map([
    [FLOOR, theirs],
    [TEXTBOOK, theirs],
    [SQLITE, sqliteIds(field.sqlite, IDS)],
  ]);
  for (const { title, schema } of field.postgres) {
    ids.set(title, await storedIds(field.url, schema, IDS));
  }
  const files = new Map([...ids.keys()].map((name, index) => [name, join(folder, `${index}.txt`)]));
  for (const [name, list] of ids) writeFileSync(files.get(name) ?? '', `${list.join('\n')}\n`);
  return (name, { port, token = '' }) => {
    const idsFile = files.get(name) ?? '';
    return { kind: 'status', port, token, ids: ids.get(name) ?? [], idsFile };
  };
}

async function textbookIds(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const text = 'SELECT subject_request_id AS id FROM textbook_requests LIMIT $1';
  const { rows } = await client.query<{ id: string }>(text, [IDS]).finally(() => client.end());
  return rows.map(({ id }) => id);
}

function tokenEntrants(unwrite: UnwriteServer, provider: Rival): Entrant[] {
  const { client_id, client_secret, audience } = unwrite.credentials;
  const grant_type = 'client_credentials';
  const json = JSON.stringify({ client_id, client_secret, audience, grant_type });
  const form = new URLSearchParams({
    client_id: 'bench',
    client_secret: 'a-secret-of-some-length-for-the-benchmark',
    grant_type,
    scope: 'erase',
  }).toString();
  const load = ({ port }: Rival, path: string, type: string, body: string) =>
    ({ kind: 'token', port, tokenRequest: { path, type, body } }) as const;
  return [
    {
      name: PROVIDER,
      process: provider.process,
      load: load(provider, '/token', 'application/x-www-form-urlencoded', form),
    },
    {
      name: SQLITE,
      process: unwrite.process,
      load: load(unwrite, '/oauth/token', 'application/json', json),
    },
  ];
}

function sayAll(
  what: string,
  standings: Standings,
  { postgres }: Field,
  say: (line: string) => void,
): void {
  say(compare(what, standings, POSTGRES, FLOOR));
  say(compare(what, standings, POSTGRES, TEXTBOOK));
  for (const { title } of postgres.slice(1)) say(compare(what, standings, title, POSTGRES));
  say(compare(what, standings, SQLITE, FLOOR));
}
