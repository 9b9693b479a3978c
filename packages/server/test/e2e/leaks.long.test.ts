// Known people go through the whole life of requests, past targets that quote them in their errors; they
// are looked for all the while, wherever bytes end up.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotPossible } from '../../src/domain/task/operator-ports.ts';
import { openPostgresStore } from '../../src/store/postgres/open-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { readMasterKeyFile } from '../../src/vault/master-key-file.ts';
import { openRowKey } from '../../src/vault/row-key.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { tablesAsText } from '../helpers/databases/tables-as-text.ts';
import { createFindLeaks } from '../helpers/find-leaks.ts';
import { freePort } from '../helpers/free-port.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { type Crm, crmTarget, NO_FAULT, startCrm } from './set-up/crm.ts';
import {
  inParallel,
  makeProcessInstallation,
  type TestInstallation,
} from './set-up/installation.ts';
import { POSTGRES, type ShopDatabase } from './set-up/shop-database.ts';
import { moduleTarget } from './set-up/wrapped-shop.ts';

const PEOPLE = Number(process.env.UNWRITE_TEST_E2E_PEOPLE ?? 200);
const MARKS = [`local${randomBytes(6).toString('hex')}`, `domain${randomBytes(6).toString('hex')}`];
const findLeaks = createFindLeaks(MARKS);
const OLGA = ['--as', 'olga'];
const PATIENCE = 300_000 + 1000 * PEOPLE;
const POSTGRES_STORE = {
  schema: 'unwrite',
  poolSize: 1,
  statementTimeout: null,
  prepare: true,
  name: 'unwrite test',
};

// The length of what stands before the mark moves it through all alignments of base64.
const emailOf = (n: number) => `${'x'.repeat(n % 3)}${MARKS[0]}.${n}@${MARKS[1]}.example`;
const customerIdOf = (n: number) => `${MARKS[0]}-${n}`;
/** One in ten has too many orders, one in ten meets a trigger that refuses and quotes, one in ten is named later. */
const isHeavy = (n: number) => n % 10 === 1;
const isRefused = (n: number) => n % 10 === 2;
const isNamedLater = (n: number) => n % 10 === 3;

const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, external_id TEXT, refuses BOOLEAN);
  CREATE TABLE orders (id SERIAL PRIMARY KEY, customer_ref TEXT);
  CREATE INDEX ON customers (lower(email)); CREATE INDEX ON customers (external_id);
  CREATE INDEX ON orders (customer_ref);
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF OLD.refuses THEN
      RAISE EXCEPTION '<script>%</script>', OLD.email
        USING DETAIL = OLD.email, HINT = OLD.email, CONSTRAINT = OLD.email, TABLE = OLD.email;
    END IF;
    RETURN OLD;
  END $$;
  CREATE TRIGGER refusal BEFORE DELETE ON customers FOR EACH ROW EXECUTE FUNCTION refuse()`;

const targetsOf = ({ address }: ShopDatabase) => `  shop:
    ${address}
    controllers: [acme]
    max_rows_per_subject: 5
    triggers: [refusal]
    tables:
      - table: orders
        match: { controller_customer_id: customer_ref }
      - table: customers
        match: { email: email }
    resolve:
      table: customers
      from: { email: email }
      to: { controller_customer_id: external_id }
`;

/** An endpoint that quotes whom it was asked about, in each place that an answer has. */
const quoting: Crm['fault'] = ({ action, subjects }, response) => {
  if (action === 'check') return undefined;
  const [first] = subjects;
  const email = first?.identities[0]?.value ?? '';
  if (subjects.length === 1) {
    response.writeHead(500, email.slice(0, 40), { 'content-type': 'text/html', 'x-error': email });
    response.end(`<h1>${email}</h1>`);
    return 'sent';
  }
  return { subjects: subjects.map(({ ref }) => ({ ref, error: email, found: { [email]: 1 } })) };
};

describe.skipIf(!(await hasPostgres()))(`${PEOPLE} known people, from outside`, () => {
  let folder: TemporaryFolder;
  let shop: ShopDatabase;
  let crm: Crm;
  let unwrite: TestInstallation;
  let watching = true;
  let metricsPort: number;
  let watch: Promise<number>;
  const leaks = new Set<string>();
  const ids: string[] = [];

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    metricsPort = await freePort();
    shop = await POSTGRES.open(folder.path);
    await shop.query(SCHEMA);
    for (let n = 0; n < PEOPLE; n++) {
      const id = customerIdOf(n);
      await shop.query(
        `INSERT INTO customers VALUES (${n}, '${emailOf(n)}', '${id}', ${isRefused(n)});
         INSERT INTO orders (customer_ref) SELECT '${id}' FROM generate_series(1, ${isHeavy(n) ? 9 : 2})`,
      );
    }
    crm = await startCrm(
      Array.from({ length: PEOPLE }, (_, n) => emailOf(n)),
      quoting,
    );
    const healed = join(folder.path, 'healed');
    const throwing = new URL('./set-up/throwing-target.ts', import.meta.url);
    const module = moduleTarget(throwing, { healed }, 'after: [shop]').replace(
      '  shop:',
      '  files:',
    );
    unwrite = await makeProcessInstallation(
      folder.path,
      `cancellation_window: 0s\ntargets:\n${targetsOf(shop)}${crmTarget(crm.url, 'after: [shop]')}${module}`,
      {
        UNWRITE_LOG_LEVEL: 'trace',
        UNWRITE_MANAGEMENT_PORT: String(metricsPort),
        NODE_OPTIONS: `--import ${fileURLToPath(new URL('../helpers/servers/traced.mjs', import.meta.url))}`,
        // Where it is looked for as in all else there.
        TRACES_FILE: join(folder.path, 'data', 'traces.jsonl'),
      },
    );
    await unwrite.start();
    watch = watchFiles();
  }, PATIENCE);
  afterAll(async () => {
    watching = false;
    await unwrite.kill('SIGTERM');
    await crm.close();
    await shop.close();
    folder.remove();
  }, PATIENCE);

  function look(place: string, bytes: Uint8Array | string): void {
    for (const leak of findLeaks(place, bytes)) leaks.add(leak);
  }

  function lookIntoFiles(): void {
    for (const entry of readdirSync(unwrite.dataDir, { recursive: true, withFileTypes: true })) {
      look(entry.name, entry.name);
      // A file may be gone by now; what was in it was looked into before, or is somewhere else.
      if (!entry.isFile() || entry.name === 'master.key') continue;
      try {
        look(entry.name, readFileSync(join(entry.parentPath, entry.name)));
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOENT') throw error;
      }
    }
  }

  /** All the while, and not only at the end: answers how many times. */
  async function watchFiles(): Promise<number> {
    const { database } = unwrite.store;
    let times = 0;
    while (watching) {
      lookIntoFiles();
      for (const [name, text] of database ? await tablesAsText(database.query) : [])
        look(name, text);
      times++;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return times;
  }

  async function lookAtCommands(): Promise<void> {
    const some = ids.slice(1, 4).map((id) => ['request', 'show', id]);
    const lists = [
      ['request', 'list', '--limit', '100000'],
      ['request', 'list', '--attention', '--limit', '100000'],
      ['task', 'list', '--limit', '100000'],
      ['manual', 'list', '--limit', '100000'],
      ['target', 'check'],
      ['doctor'],
      ['backup', 'create', '--to', unwrite.dataDir],
    ];
    look('the metrics', await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
    await inParallel([...some, ...lists], 2, async (args) => {
      for (const json of [[], ['--json']]) {
        const { stdout, stderr } = await unwrite.print(...args, ...json);
        look(`unwrite ${args.join(' ')}`, stdout + stderr);
        expect(stdout + stderr).not.toContain('<script>');
      }
    });
  }

  interface Task {
    readonly subject_request_id: string;
    readonly target: string;
    readonly state: string;
    readonly reason: string | null;
  }
  const tasks = (...args: string[]): Promise<Task[]> =>
    unwrite.command('task', 'list', '--limit', '100000', ...args);

  /** As `unwrite request retry` does, two hundred times in a moment. */
  async function retryAll(): Promise<void> {
    const { database } = unwrite.store;
    const store =
      database === undefined
        ? openSqliteStore(unwrite.dataDir, Date.now)
        : await openPostgresStore({ url: database.url, ...POSTGRES_STORE });
    const ring = createMasterKeyRing(readMasterKeyFile(join(unwrite.dataDir, 'master.key')));
    store.rowMacs.setKey(await openRowKey(store.ownSecrets, createSecretSealer(ring)));
    for (const { status, ...key } of (await store.views.requests({ limit: 2 * PEOPLE })).items) {
      if (status !== 'in_progress') continue;
      // Some are completed by now: they were about to be tried anyway.
      await store.operator
        .retry(key, { actor: 'operator:olga', now: Date.now() })
        .catch((error: unknown) => expect(error).toBeInstanceOf(NotPossible));
    }
    await store.close();
  }

  const idsWhere = (is: (n: number) => boolean) => new Set(ids.filter((_, n) => is(n)));
  const requestsOf = (all: readonly Task[]) => new Set(all.map((it) => it.subject_request_id));

  it('are held, refused and waited for without a trace of them', {
    timeout: PATIENCE,
  }, async () => {
    for (let n = 0; n < PEOPLE; n++) {
      ids.push(await unwrite.submit('acme', isNamedLater(n) ? [] : [['email', emailOf(n)]]));
    }
    const later = ids.filter((_, n) => isNamedLater(n));
    await until(
      async () =>
        (await unwrite.command('manual', 'list', '--limit', '100000')).length === later.length,
      () => 'those who are not named do not wait for a person',
    );
    await inParallel([...idsWhere(isNamedLater)], 2, (id) =>
      unwrite.command('request', 'identify', id, '--email', emailOf(ids.indexOf(id)), ...OLGA),
    );
    // Those who were resolved and met the shop: held, or refused by the trigger.
    await until(
      async () =>
        (await tasks('--target', 'shop', '--state', 'held')).length === idsWhere(isHeavy).size,
      () => 'those with too many orders are not held',
      PATIENCE,
    );
    const refused = async () =>
      (await tasks('--target', 'shop')).filter(({ reason }) => reason === 'sql_P0001');
    await until(
      async () => (await refused()).length === idsWhere(isRefused).size,
      () => 'the trigger refuses nobody',
      PATIENCE,
    );
    expect(requestsOf(await refused())).toEqual(idsWhere(isRefused));
    expect(requestsOf(await tasks('--target', 'shop', '--state', 'held'))).toEqual(
      idsWhere(isHeavy),
    );
    for (const target of ['crm', 'files'])
      expect(await tasks('--target', target, '--state', 'erased')).toEqual([]);
    // They were really asked about, in clear.
    expect(
      findLeaks('the endpoint', crm.calls.map(({ body }) => body).join()).length,
    ).toBeGreaterThan(0);
    await lookAtCommands();
    expect([...leaks]).toEqual([]);
  });

  it('are erased everywhere without a trace of them', { timeout: PATIENCE }, async () => {
    crm.fault = NO_FAULT;
    writeFileSync(join(folder.path, 'healed'), '');
    await shop.query('ALTER TABLE customers DISABLE TRIGGER refusal');
    await unwrite.command('task', 'release', '--all', '--target', 'shop', ...OLGA);
    await retryAll();
    for (const task of (await unwrite.command('manual', 'list', '--limit', '100000')) as Task[])
      await unwrite.command(
        'manual',
        'confirm',
        task.subject_request_id,
        '--note',
        'done',
        ...OLGA,
      );
    await unwrite.untilCompleted('acme', ids, PATIENCE);
    expect(await shop.query('SELECT * FROM customers')).toEqual([]);
    expect(await shop.query('SELECT * FROM orders')).toEqual([]);
    expect(crm.people.size).toBe(0);
    await lookAtCommands();
    expect(await unwrite.kill('SIGTERM')).toBe(0);
    lookIntoFiles();
    look('the output of the server', unwrite.output());
    expect(unwrite.output()).not.toContain('<script>');
    watching = false;
    expect(await watch).toBeGreaterThan(10);
    expect([...leaks]).toEqual([]);
    const traces = readFileSync(join(unwrite.dataDir, 'traces.jsonl'), 'utf8');
    expect(traces).toContain('"name":"erase"');
  });
});
