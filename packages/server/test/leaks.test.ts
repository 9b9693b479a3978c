// Known people go through everything that there is; then they are looked for wherever bytes end up.
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identity, requestBody } from '../../protocol/test/helpers/request-body.ts';
import { inParallel } from './e2e/set-up/installation.ts';
import { createFindLeaks } from './helpers/find-leaks.ts';
import { findNeedles } from './helpers/find-needles.ts';
import { freePort } from './helpers/free-port.ts';
import { type Answer, call, getToken, postJson } from './helpers/http/api.ts';
import { runBeside } from './helpers/run-beside.ts';
import {
  createClient,
  type ProcessOptions,
  type ServerProcess,
  startServerProcess,
} from './helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from './helpers/temporary-folder.ts';

const PEOPLE = Number(process.env.UNWRITE_TEST_LEAK_PEOPLE ?? 200);
const AT_ONCE = 50;
const PATIENCE = 120_000 + 60 * PEOPLE;
/** Every value has both marks, so that half a value is found too. */
const MARKS = [`local${randomBytes(6).toString('hex')}`, `domain${randomBytes(6).toString('hex')}`];
const findLeaks = createFindLeaks(MARKS);

let folder: TemporaryFolder;
let options: ProcessOptions;
let server: ServerProcess;
let token: string;
const people: { id: string; email: string }[] = [];
const errors: Answer[] = [];

function person(index: number) {
  // The length of what stands before the mark moves it through all alignments of base64.
  const email = `${'x'.repeat(index % 3)}${MARKS[0]}.${index}@${MARKS[1]}.example`;
  return { id: randomUUID(), email };
}

const bodyOf = ({ id, email }: { id: string; email: string }) =>
  requestBody({
    subject_request_id: id,
    subject_identities: [identity('email', email), identity('controller_customer_id', email)],
  });

beforeAll(async () => {
  folder = makeTemporaryFolder();
  options = {
    dataDir: folder.path,
    port: await freePort(),
    environment: { UNWRITE_LOG_LEVEL: 'trace' },
  };
  const credentials = createClient(options);
  server = await startServerProcess(options);
  token = await getToken(credentials);
  for (let from = 0; from < PEOPLE; from += AT_ONCE) {
    const group = Array.from({ length: Math.min(AT_ONCE, PEOPLE - from) }, (_, n) =>
      person(from + n),
    );
    const answers = await Promise.all(
      group.map((it) => postJson(`${server.url}/requests`, bodyOf(it), token)),
    );
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    people.push(...group);
  }
}, PATIENCE);
afterAll(async () => {
  await server.kill('SIGKILL');
  folder.remove();
});

const url = (path: string) => `${server.url}${path}`;
const open = () => new DatabaseSync(`${folder.path}/unwrite.db`, { timeout: 5000 });

function cancel(id: string): Promise<Answer> {
  return call(url(`/requests/${id}`), { method: 'DELETE', token });
}

/** Everything in the data folder but the master key. */
function files(): [string, Buffer][] {
  return readdirSync(folder.path)
    .filter((name) => name !== 'master.key')
    .map((name) => [name, readFileSync(`${folder.path}/${name}`)]);
}

it('the search finds a value in each encoding, at each alignment', () => {
  for (let index = 0; index < 3; index++) {
    const { email } = person(index);
    for (const text of [
      email,
      email.toUpperCase(),
      Buffer.from(email).toString('hex'),
      Buffer.from(`{"a":"${email}"}`).toString('base64'),
      Buffer.from(email, 'utf16le').toString('latin1'),
    ]) {
      expect(findLeaks('here', Buffer.from(`noise ${text} noise`, 'latin1'))).toHaveLength(2);
    }
  }
  expect(findLeaks('there', randomBytes(100_000))).toEqual([]);
});

describe(`${PEOPLE} known people`, () => {
  it('are in no answer but the encoded request of their own 201', async () => {
    const [one, two] = [person(0), person(1)];
    const first = people[0] ?? one;
    const { email } = two;
    const bad = (changes: Record<string, unknown>) =>
      postJson(url('/requests'), { ...bodyOf(two), ...changes }, token);
    errors.push(
      await postJson(url('/requests'), bodyOf(first), token),
      await bad({ subject_request_id: email }),
      await bad({ regulation: email }),
      await bad({ submitted_time: email }),
      await bad({ api_version: email }),
      await bad({ subject_identities: [identity(email, email)] }),
      await bad({ subject_identities: [identity('email', ` ${email}`)] }),
      await bad({ subject_identities: [identity('email', `${email}\u0007`)] }),
      await bad({ [email]: email, subject_identities: email }),
      await postJson(url('/requests'), `{"${email}":1,"${email}":2}`, token),
      await postJson(url('/requests'), `{"email":"${email}`, token),
      await postJson(url('/requests'), { ...bodyOf(two), extra: email.repeat(9000) }, token),
      await postJson(url('/requests'), bodyOf(two), email),
      await call(url('/requests'), { method: 'POST', token, body: email }),
      await call(url(`/requests/${encodeURIComponent(email)}`), { token }),
      await call(url(`/${email}?who=${email}`), { token }),
      await call(url(`/requests/${email}`), { method: 'PUT', token, body: email }),
      await postJson(url('/oauth/token'), { client_id: email, client_secret: email }),
    );
    for (const { status, text, headers } of errors) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(findLeaks(`a ${status}`, text + JSON.stringify([...headers]))).toEqual([]);
    }
    const status = await call(url(`/requests/${first.id}`), { token });
    expect(findLeaks('a status', status.text)).toEqual([]);
    const created = await postJson(url('/requests'), bodyOf(one), token);
    const { encoded_request, ...rest } = created.body;
    expect(findLeaks('encoded_request', encoded_request)).not.toEqual([]);
    expect(findLeaks('the rest of a 201', JSON.stringify(rest))).toEqual([]);
  });

  it('are in no file of the data folder, the WAL among them', () => {
    const found = files();
    const names = found.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['unwrite.db', 'unwrite.db-wal']));
    expect(found.flatMap(([name, bytes]) => findLeaks(name, bytes))).toEqual([]);
  });

  it('are in no dump of the database', () => {
    const database = open();
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const dump = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM ${name}`).all());
    database.close();
    const text = JSON.stringify(dump, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(text).toContain(people[0]?.id);
    expect(findLeaks('the dump', Buffer.from(text, 'latin1'))).toEqual([]);
  });

  it('are in no line of the log at its most verbose level, and neither is a token', () => {
    const log = server.output();
    expect(log.match(/"status":201/g)?.length).toBeGreaterThanOrEqual(PEOPLE);
    expect(findLeaks('the log', log)).toEqual([]);
    expect(log).not.toContain(token);
  });

  it('are in no output of the command line', async () => {
    const list = await runBeside(['request', 'list', '--json', '--limit', '999999'], options);
    expect(JSON.parse(list.stdout).length).toBeGreaterThanOrEqual(PEOPLE);
    expect(findLeaks('request list', list.stdout + list.stderr)).toEqual([]);
  });

  it(
    'cancelled people leave neither wrapped keys nor sealed identities in the file',
    async () => {
      const checkpoint = () => {
        const database = open();
        const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as {
          busy: number;
        };
        database.close();
        expect(busy).toBe(0);
        return Buffer.concat(files().map(([, bytes]) => bytes));
      };
      const database = open();
      const rows = database
        .prepare('SELECT request_no AS no, wrapped_key AS key, sealed FROM sealed_identities')
        .all() as { no: number; key: Uint8Array; sealed: Uint8Array }[];
      const leaving = new Set(people.filter((_, index) => index % 3 === 0).map(({ id }) => id));
      const numberOf = database.prepare(
        'SELECT request_no AS no FROM requests WHERE subject_request_id = ?',
      );
      const numbers = new Set([...leaving].map((id) => numberOf.get(id)?.no));
      database.close();
      const gone = rows.filter(({ no }) => numbers.has(no));
      const staying = rows.filter(({ no }) => !numbers.has(no));
      expect(gone).toHaveLength(leaving.size);

      const before = checkpoint();
      const keysIn = (bytes: Buffer, some: typeof rows) => {
        const keys = some.map(({ key }) => key);
        return findNeedles(bytes, keys).size;
      };
      expect(keysIn(before, gone)).toBe(gone.length);

      const answers = await inParallel([...leaving], AT_ONCE, cancel);
      expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
      const after = checkpoint();
      expect(keysIn(after, gone)).toBe(0);
      const starts = gone.map(({ sealed }) => sealed.subarray(0, 24));
      expect(findNeedles(after, starts).size).toBe(0);
      expect(keysIn(after, staying)).toBe(staying.length);
    },
    PATIENCE,
  );

  it('are in nothing that the server leaves behind when it is killed', async () => {
    await server.kill('SIGABRT');
    expect(findLeaks('the output', server.output())).toEqual([]);
    expect(files().flatMap(([name, bytes]) => findLeaks(name, bytes))).toEqual([]);
  });
});
