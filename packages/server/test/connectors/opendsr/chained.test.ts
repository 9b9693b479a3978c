// Two servers of our own, one of which forwards to the other: real HTTP, tokens, stores, threads and a database.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Credentials } from '../../helpers/http/api.ts';
import { makeController, type TestController } from '../../helpers/http/controller.ts';
import { identity, requestBody } from '../../helpers/http/request-body.ts';
import { startServiceIn, type TestService } from '../../helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../../helpers/servers/short-intervals.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';

type Targets = Readonly<Record<string, object>>;

const folders: TemporaryFolder[] = [makeTemporaryFolder(), makeTemporaryFolder()];
const [ours, theirs] = folders.map(({ path }) => path) as [string, string];
const shopFile = join(theirs, 'shop.db');
const SHOP = {
  connector: 'sqlite',
  file: shopFile,
  controllers: ['us'],
  tables: [{ table: 'people', match: { email: 'email' } }],
};

let us: TestService;
let them: TestService;
let acme: TestController;

function configure(folder: string, domain: string, targets: Targets): void {
  const settings = { domain, cancellation_window: '0s', targets };
  writeFileSync(join(folder, 'unwrite.config.yaml'), stringify(settings));
}

const forwarding = (to: TestService, { client_id, client_secret, audience }: Credentials) => ({
  connector: 'opendsr',
  url: `${to.url}/v2`,
  oauth: { token_url: `${to.url}/oauth/token`, client_id, client_secret, audience },
  tenancy: 'none',
  allow_private: ['127.0.0.1'],
  look_again: '1s',
});

const peopleLeft = () => {
  const shop = new DatabaseSync(shopFile);
  try {
    return shop
      .prepare('SELECT email FROM people ORDER BY email')
      .all()
      .map(({ email }) => email);
  } finally {
    shop.close();
  }
};

const tasksOf = (service: TestService, target: string) =>
  service.installation.store.tasks.tasks({ target, limit: 100 });

beforeAll(async () => {
  const shop = new DatabaseSync(shopFile);
  shop.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT);
    INSERT INTO people (email) VALUES ('ada@example.com'), ('bob@example.com'), ('cy@example.com')`);
  shop.close();
  configure(theirs, 'them.example', { shop: SHOP });
  them = await startServiceIn(theirs, {}, SHORT_INTERVALS);
  const credentials = await them.client('us');
  configure(ours, 'us.example', { them: forwarding(them, credentials) });
  us = await startServiceIn(ours, {}, SHORT_INTERVALS);
  acme = await makeController(us);
});
afterAll(async () => {
  await us?.close();
  await them?.close();
  for (const folder of folders) folder.remove();
});

async function submit(email: string): Promise<string> {
  const body = requestBody({ subject_identities: [identity('email', email)] });
  expect((await acme.create(body)).status).toBe(201);
  return String(body.subject_request_id);
}

it('erases at the other one, and completes when that has completed', async () => {
  const id = await submit('ada@example.com');

  await expect.poll(async () => (await acme.status(id)).body.request_status).toBe('completed');

  expect(peopleLeft()).toEqual(['bob@example.com', 'cy@example.com']);
  const [task] = await tasksOf(us, 'them');
  expect(task).toMatchObject({
    state: 'erased',
    evidence: {
      verified: 'stated by the processor',
      forwarded: { processor: 'them.example', status: 'completed', signed: false },
    },
  });
  const [there] = await tasksOf(them, 'shop');
  expect(there?.subjectRequestId).toBe(task?.evidence?.forwarded?.subject_request_id);
});

it('refuses a request that comes back, and accepts nothing of it', async () => {
  const back = await us.client('them');
  configure(theirs, 'them.example', { shop: SHOP, back: forwarding(us, back) });
  expect(await them.reload('system')).toMatchObject({ ok: true });

  const id = await submit('bob@example.com');

  await expect
    .poll(async () => (await tasksOf(them, 'back')).map(({ state, reason }) => [state, reason]))
    .toEqual([['failed', 'refused']]);
  expect((await acme.status(id)).body.request_status).toBe('in_progress');
  const controllers = (await tasksOf(us, 'them')).map(({ controllerId }) => controllerId);
  expect(new Set(controllers)).toEqual(new Set(['acme']));
});
