// Nodes on one PostgreSQL, whose database is restored or changed by someone else.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Role } from '../../../src/config/config.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/database.ts';
import { freshPostgres } from '../databases/fresh-postgres.ts';
import { call, postJson } from '../http/api.ts';
import { identity, requestBody } from '../http/request-body.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { startServiceIn, type TestService } from './service.ts';
import { SHORT_INTERVALS } from './short-intervals.ts';

const SCHEMA = 'unwrite';

/** Called inside of describe(): each test has a database and folders of its own. */
export function nodesWithBackup() {
  let folder: TemporaryFolder;
  let fresh: Awaited<ReturnType<typeof freshPostgres>>;
  let database: Database;
  let token = '';
  const running = new Map<string, TestService>();

  beforeEach(async () => {
    folder = makeTemporaryFolder();
    fresh = await freshPostgres();
    const options = { url: fresh.url, schema: SCHEMA, poolSize: 1, prepare: true };
    database = openDatabase({ ...options, statementTimeout: 30_000, name: 'unwrite test' });
  });
  afterEach(async () => {
    await Promise.all([...running.keys()].map(stop));
    await database.close();
    await fresh.close();
    folder.remove();
  });

  const dataDirOf = (name: string) => join(folder.path, name);

  async function start(name: string, role: Role): Promise<TestService> {
    const masterKeyFile = join(folder.path, 'master.key');
    const flags = {
      store: fresh.url,
      storeSchema: SCHEMA,
      storePoolSize: 4,
      role,
      masterKeyFile,
    };
    const settings = { ...flags, publicUrl: 'http://unwrite.test', cancellationWindow: '1h' };
    const node = await startServiceIn(dataDirOf(name), settings, SHORT_INTERVALS);
    running.set(name, node);
    return node;
  }

  async function stop(name: string): Promise<void> {
    await running.get(name)?.close();
    running.delete(name);
  }

  async function submit({ url }: TestService, id: string = randomUUID()): Promise<string> {
    const body = requestBody({
      subject_request_id: id,
      subject_identities: [identity('email', `${id}@example.com`)],
    });
    expect((await postJson(`${url}/requests`, body, token)).status).toBe(201);
    return id;
  }

  async function cancel({ url }: TestService, id: string): Promise<void> {
    const { status } = await call(`${url}/requests/${id}`, { method: 'DELETE', token });
    expect(status).toBe(202);
  }

  async function tables(): Promise<string[]> {
    const rows = await database.all<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${SCHEMA}'
       AND tablename NOT IN ('schema_migrations')`,
    );
    return rows.map(({ name }) => name);
  }

  async function backUp(): Promise<void> {
    await database.run('CREATE SCHEMA backup');
    for (const name of await tables())
      await database.run(`CREATE TABLE backup.${name} AS TABLE @${name}`);
  }

  async function restore(): Promise<void> {
    const names = await tables();
    await database.transaction(async (sql) => {
      await sql.run('SET LOCAL session_replication_role = replica');
      await sql.run(`TRUNCATE ${names.map((name) => `@${name}`).join()}`);
      for (const name of names)
        await sql.run(`INSERT INTO @${name} OVERRIDING SYSTEM VALUE TABLE backup.${name}`);
    });
  }

  /** So that it is due at once. */
  async function askStart({ installation: { store } }: TestService, id: string): Promise<void> {
    const key = { controllerId: 'acme', subjectRequestId: id } as RequestKey;
    await store.operator.askStart(key, { actor: 'operator:test', now: store.clock() });
  }

  const statusOf = async (id: string) =>
    (
      await database.get<{ status: string }>(
        'SELECT status FROM @requests WHERE subject_request_id = :id',
        { id },
      )
    )?.status;
  const isOpen = async () =>
    (await database.get('SELECT 1 FROM @restores WHERE confirmed_time IS NULL')) !== undefined;
  const heads = async () =>
    (await database.get<{ n: number }>('SELECT max(head_no) AS n FROM @audit_heads'))?.n ?? 0;
  const untilOpen = () => until(isOpen, () => 'the restore was not noticed');
  const sweeps = () => new Promise((resolve) => setTimeout(resolve, 1500));

  async function declare({ installation: { store } }: TestService): Promise<void> {
    await store.restores.declare('a test', { actor: 'operator:test', now: store.clock() });
  }

  async function confirm({ installation: { store } }: TestService): Promise<number | undefined> {
    return store.restores.confirm(true, { actor: 'operator:test', now: store.clock() });
  }

  /** Everything that was requested is known by a head that all nodes have. */
  async function untilSealed(...names: string[]): Promise<void> {
    const before = await heads();
    await until(
      async () => (await heads()) > before,
      () => 'nothing was sealed',
    );
    await until(
      () => names.every((name) => existsSync(join(dataDirOf(name), 'audit-head.json'))),
      () => 'a node has no head',
    );
    await sweeps();
  }

  /** As someone does who can write to the database, and has a copy of it from before. */
  async function removeCancellation(id: string): Promise<void> {
    const no = `(SELECT request_no FROM backup.requests WHERE subject_request_id = '${id}')`;
    for (const table of ['@audit_rows', '@new_audit_rows'])
      await database.run(
        `DELETE FROM ${table} WHERE subject_request_id = '${id}' AND action = 'request.cancelled'`,
      );
    await database.run(`DELETE FROM @requests WHERE request_no = ${no}`);
    for (const name of ['requests', 'sealed_identities'])
      await database.run(
        `INSERT INTO @${name} OVERRIDING SYSTEM VALUE SELECT * FROM backup.${name} WHERE request_no = ${no}`,
      );
  }

  return {
    dataDirOf,
    start,
    stop,
    submit,
    cancel,
    backUp,
    restore,
    askStart,
    statusOf,
    isOpen,
    untilOpen,
    sweeps,
    declare,
    confirm,
    untilSealed,
    removeCancellation,
    async signIn(node: TestService) {
      token = await node.token();
    },
    run: (text: string) => database.run(text),
  };
}
