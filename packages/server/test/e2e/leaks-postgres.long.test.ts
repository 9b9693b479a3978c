// Known people go through the whole life of requests on a store that two nodes share. They are looked for
// in every table of the store and of the queue, in what the database logs and keeps on its disk, and in
// whatever the nodes say.
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { type DatabaseServer, startGuarded } from '../helpers/databases/guarded-server.ts';
import { tablesAsText } from '../helpers/databases/tables-as-text.ts';
import { createFindLeaks } from '../helpers/find-leaks.ts';
import { freePort } from '../helpers/free-port.ts';
import { call, postJson } from '../helpers/http/api.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import {
  makeNodeProcesses,
  type NodeProcess,
  type NodeProcesses,
} from '../helpers/servers/node-processes.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { POSTGRES, type ShopDatabase } from './set-up/shop-database.ts';

const PEOPLE = Number(process.env.UNWRITE_TEST_E2E_PEOPLE ?? 32);
const MARKS = [`local${randomBytes(6).toString('hex')}`, `domain${randomBytes(6).toString('hex')}`];
const findLeaks = createFindLeaks(MARKS);
const OLGA = ['--as', 'olga'];
const PATIENCE = 300_000 + 1000 * PEOPLE;

// The length of what stands before the mark moves it through all alignments of base64.
const emailOf = (n: number) => `${'x'.repeat(n % 3)}${MARKS[0]}.${n}@${MARKS[1]}.example`;
/** One in four has too many rows; one in four meets a trigger that refuses, and quotes. */
const isHeavy = (n: number) => n % 4 === 1;
const isRefused = (n: number) => n % 4 === 2;

const SHOP = `
  CREATE TABLE customers (id SERIAL PRIMARY KEY, email TEXT, refuses BOOLEAN);
  CREATE INDEX ON customers (lower(email));
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF OLD.refuses THEN RAISE EXCEPTION '%', OLD.email USING DETAIL = OLD.email, HINT = OLD.email;
    END IF;
    RETURN OLD;
  END $$;
  CREATE TRIGGER refusal BEFORE DELETE ON customers FOR EACH ROW EXECUTE FUNCTION refuse()`;

describe.skipIf(!(await hasPostgres()))(`${PEOPLE} known people, on a shared store`, () => {
  let folder: TemporaryFolder;
  let server: DatabaseServer;
  let store: pg.Client;
  let shop: ShopDatabase;
  let nodes: NodeProcesses;
  let running: NodeProcess[];
  let managementPort: number;
  let token: string;
  const leaks = new Set<string>();
  const ids: string[] = [];
  let watch: { stop(): Promise<number> };

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    [server, shop] = await Promise.all([
      startGuarded('logging-postgres', join(folder.path, 'database.log')),
      POSTGRES.open(folder.path),
    ]);
    const url = `${server.url}postgres`;
    store = new pg.Client(url);
    await store.connect();
    await shop.query(SHOP);
    for (let n = 0; n < PEOPLE; n++) {
      await shop.query(`INSERT INTO customers (email, refuses)
        SELECT '${emailOf(n)}', ${isRefused(n)} FROM generate_series(1, ${isHeavy(n) ? 4 : 1})`);
    }
    managementPort = await freePort();
    nodes = makeNodeProcesses({
      folder: folder.path,
      url,
      schema: 'unwrite',
      config: `cancellation_window: 2s
retention: { identities: 0s }
targets:
  shop:
    ${shop.address}
    controllers: [acme]
    max_rows_per_subject: 3
    triggers: [refusal]
    tables:
      - table: customers
        match: { email: email }
`,
      environment: { UNWRITE_LOG_LEVEL: 'trace' },
    });
    running = [
      await nodes.add('one', 'all', { UNWRITE_MANAGEMENT_PORT: String(managementPort) }),
      await nodes.add('two', 'worker'),
    ];
    for (const node of running) node.start();
    await Promise.all(running.map((node) => node.untilReady()));
    token = await nodes.token(running[0]?.url ?? '', 'acme');
    watch = watchTables();
  }, PATIENCE);
  afterAll(async () => {
    await watch.stop();
    await nodes.close();
    await store.end();
    await server.close();
    await shop.close();
    folder.remove();
  }, PATIENCE);

  function look(place: string, content: Uint8Array | string): void {
    for (const leak of findLeaks(place, content)) leaks.add(leak);
  }

  /** And at what the connections are doing. */
  async function lookIntoTables(): Promise<void> {
    const query = async (sql: string) => (await store.query(sql)).rows;
    for (const [name, text] of await tablesAsText(query)) look(name, text);
    const { rows } = await store.query('SELECT query, application_name FROM pg_stat_activity');
    look('pg_stat_activity', JSON.stringify(rows));
  }

  /** All the while, and not only at the end: answers how many times. */
  function watchTables() {
    let [isWatching, times] = [true, 0];
    const watching = (async () => {
      while (isWatching) {
        await lookIntoTables();
        times++;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    })();
    return {
      async stop() {
        isWatching = false;
        await watching;
        return times;
      },
    };
  }

  /** Of the database's disk: its tables and its write-ahead log. */
  async function lookIntoFiles(): Promise<void> {
    await store.query('CHECKPOINT');
    const { rows } = await store.query<{ data: string; oid: string }>(
      `SELECT current_setting('data_directory') AS data, oid::text FROM pg_database
       WHERE datname = current_database()`,
    );
    const { data = '', oid = '' } = rows[0] ?? {};
    for (const folder of [join(data, 'base', oid), join(data, 'pg_wal')]) {
      const files = readdirSync(folder, { withFileTypes: true }).filter((it) => it.isFile());
      expect(files.length).toBeGreaterThan(0);
      for (const { name } of files) look(`${folder}/${name}`, readFileSync(join(folder, name)));
    }
  }

  function lookAtOutputs(): void {
    for (const node of running) {
      look(`the log of ${node.name}`, node.output());
      for (const name of readdirSync(node.dataDir)) {
        look(`${node.name}/${name}`, readFileSync(join(node.dataDir, name)));
      }
    }
    const log = readFileSync(join(folder.path, 'database.log'), 'utf8');
    for (const logged of ['INSERT INTO "unwrite".sealed_identities', 'Parameters: $1 = ']) {
      expect(log.includes(logged)).toBe(true);
    }
    look('the log of the database', log);
  }

  async function lookAtCommands(): Promise<void> {
    for (const args of [
      ['request', 'list', '--limit', '100000'],
      ['request', 'list', '--attention', '--limit', '100000'],
      ['request', 'show', ids[1] ?? ''],
      ['task', 'list', '--limit', '100000'],
      ['audit', 'list', '--limit', '100000'],
      ['node', 'list'],
    ])
      look(args.join(' '), JSON.stringify(await nodes.command(args)));
    const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
    expect(metrics).toContain('unwrite_requests{');
    look('metrics', metrics);
  }

  const submit = (id: string, email: string) =>
    postJson(
      `${running[0]?.url}/requests`,
      requestBody({ subject_request_id: id, subject_identities: [identity('email', email)] }),
      token,
    );
  const count = async (what: string): Promise<number> =>
    Number((await store.query(`SELECT count(*) AS n FROM ${what}`)).rows[0].n);

  it('come in, are held and refused without a trace of them', { timeout: PATIENCE }, async () => {
    for (let n = 0; n < PEOPLE; n++) {
      const id = randomUUID();
      expect((await submit(id, emailOf(n))).status).toBe(201);
      ids.push(id);
    }
    expect((await submit(ids[0] ?? '', emailOf(0))).status).toBe(409);
    expect(await count('unwrite.sealed_identities')).toBeGreaterThan(0);
    const another = randomUUID();
    expect((await submit(another, emailOf(PEOPLE))).status).toBe(201);
    const path = `${running[0]?.url}/requests/${another}`;
    expect((await call(path, { method: 'DELETE', token })).status).toBe(202);
    const sealedOfIt = `unwrite.requests JOIN unwrite.sealed_identities USING (request_no)
      WHERE request_uuid = '${another}'`;
    expect(await count(sealedOfIt)).toBe(0);
    const states = async (state: string, reason: string): Promise<number> => {
      const tasks = await nodes.command(['task', 'list', '--state', state, '--limit', '100000']);
      return tasks.filter((task: { reason: string }) => task.reason === reason).length;
    };
    await until(
      async () => (await states('held', 'over_cap')) === ids.filter((_, n) => isHeavy(n)).length,
      () => 'those with too many rows are not held',
      PATIENCE,
    );
    await until(
      async () =>
        (await states('failed', 'sql_P0001')) === ids.filter((_, n) => isRefused(n)).length,
      () => 'the trigger refuses nobody',
      PATIENCE,
    );
    await lookAtCommands();
    lookAtOutputs();
    expect([...leaks]).toEqual([]);
  });

  it('are not passed on if an error of the store quotes them', async () => {
    const quoted = `quoted${randomBytes(6).toString('hex')}`;
    const findQuoted = createFindLeaks([quoted]);
    await store.query(`
      CREATE FUNCTION quote() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION '${quoted}' USING DETAIL = '${quoted}', HINT = '${quoted}'; END $$;
      CREATE TRIGGER quoting BEFORE INSERT OR UPDATE ON unwrite.requests
        FOR EACH ROW EXECUTE FUNCTION quote();
      CREATE TRIGGER quoting BEFORE INSERT OR UPDATE ON unwrite.controllers
        FOR EACH ROW EXECUTE FUNCTION quote()`);
    const created = await submit(randomUUID(), 'somebody@example.com');
    expect(created.status).toBe(503);
    const command = await nodes.command(['controller', 'create', 'globex']).catch(String);
    expect(command).toContain('P0001');
    await store.query(`
      DROP TRIGGER quoting ON unwrite.requests;
      DROP TRIGGER quoting ON unwrite.controllers`);
    expect(running[0]?.output()).toContain('P0001');
    const outputs = running.map((node) => node.output());
    expect(
      [created.text, command, ...outputs].flatMap((text, n) => findQuoted(`${n}`, text)),
    ).toEqual([]);
  });

  it('are erased, and what was sealed of them is gone from the tables', {
    timeout: PATIENCE,
  }, async () => {
    await shop.query('ALTER TABLE customers DISABLE TRIGGER refusal');
    await nodes.command(['task', 'release', '--all', '--target', 'shop', ...OLGA]);
    await until(
      async () => (await count("unwrite.requests WHERE status = 'completed'")) === PEOPLE,
      () => 'not all are completed',
      PATIENCE,
    );
    expect(await shop.query('SELECT * FROM customers')).toEqual([]);
    await until(
      async () => (await count('unwrite.sealed_identities')) === 0,
      () => 'what was sealed is still there',
    );
    expect(await nodes.command(['audit', 'verify'])).toMatchObject({ ok: true });
    await lookAtCommands();
    for (const node of running) expect(await node.kill('SIGTERM')).toBe(0);
    expect(await watch.stop()).toBeGreaterThan(5);
    await lookIntoTables();
    lookAtOutputs();
    await lookIntoFiles();
    expect([...leaks]).toEqual([]);
  });
});
