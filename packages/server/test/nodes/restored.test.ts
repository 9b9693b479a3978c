// The database of several nodes is restored from a backup: under them, or while they are stopped.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../src/config/config.ts';
import type { RequestKey } from '../../src/domain/request/request.ts';
import { type Database, openDatabase } from '../../src/store/postgres/database.ts';
import { freshPostgres, hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { call, postJson } from '../helpers/http/api.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import { startServiceIn, type TestService } from '../helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../helpers/servers/short-intervals.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const SCHEMA = 'unwrite';

describe.skipIf(!(await hasPostgres()))(
  'nodes whose database is restored',
  { timeout: 180_000 },
  () => {
    let folder: TemporaryFolder;
    let fresh: Awaited<ReturnType<typeof freshPostgres>>;
    let database: Database;
    let token: string;
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

    async function submit({ url }: TestService): Promise<string> {
      const id = randomUUID();
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

    it('a restore under running nodes stops all starts, and cancelled requests are cancelled again', async () => {
      const api = await start('api', 'api');
      await start('worker', 'worker');
      token = await api.token();
      const id = await submit(api);
      await untilSealed('api', 'worker');
      await backUp();
      await cancel(api, id);
      await untilSealed('api', 'worker');
      await restore();
      await askStart(api, id);
      await untilOpen();
      await sweeps();
      expect(await statusOf(id)).toBe('pending');
      // An older command line lifts the pause that older nodes understand; nothing starts all the same.
      await database.run('DELETE FROM @brakes');
      await sweeps();
      expect(await statusOf(id)).toBe('pending');
      expect(await confirm(api)).toBe(1);
      expect(await statusOf(id)).toBe('cancelled');
      const next = await submit(api);
      await askStart(api, next);
      await until(
        async () => (await statusOf(next)) === 'in_progress',
        () => 'nothing starts after the confirmation',
      );
      expect(await isOpen()).toBe(false);
    });

    it('if no head covers a cancellation yet, the node that has answered it reports it', async () => {
      const api = await start('api', 'api');
      token = await api.token();
      const id = await submit(api);
      await backUp();
      await cancel(api, id);
      await restore();
      await askStart(api, id);
      await untilOpen();
      await start('worker', 'worker');
      await sweeps();
      expect(await statusOf(id)).toBe('pending');
      expect(await confirm(api)).toBe(1);
      expect(await statusOf(id)).toBe('cancelled');
    });

    it('a cancellation that someone else has taken off the list is reported again by its node, before another one starts the request', async () => {
      const api = await start('api', 'api');
      await start('worker', 'worker');
      token = await api.token();
      const id = await submit(api);
      await untilSealed('api', 'worker');
      await backUp();
      await cancel(api, id);
      await untilSealed('api', 'worker');
      await restore();
      await untilOpen();
      await askStart(api, id);
      await sweeps();
      await database.run('DELETE FROM @restore_findings');
      expect(await confirm(api)).toBe(0);
      await untilOpen();
      await sweeps();
      expect(await statusOf(id)).toBe('pending');
      expect(await confirm(api)).toBe(1);
      expect(await statusOf(id)).toBe('cancelled');
    });

    it('if nodes were stopped during the restore, a new node starts nothing, whichever is started first', async () => {
      const api = await start('api', 'api');
      await start('worker', 'worker');
      token = await api.token();
      const id = await submit(api);
      await untilSealed('api', 'worker');
      await backUp();
      await cancel(api, id);
      await stop('api');
      await stop('worker');
      await restore();
      const [made] = await Promise.all([start('new', 'all'), start('api', 'api')]);
      await askStart(made, id);
      await sweeps();
      expect(await isOpen()).toBe(true);
      expect(await statusOf(id)).toBe('pending');
    });

    it('a node that was away during the confirmation reports what it knows, if that still matters', async () => {
      const first = await start('first', 'api');
      const second = await start('second', 'api');
      token = await first.token();
      const [one, other] = [await submit(first), await submit(second)];
      await backUp();
      await cancel(first, one);
      await cancel(second, other);
      await stop('first');
      await stop('second');
      await restore();
      const again = await start('first', 'api');
      expect(await confirm(again)).toBe(1);
      expect([await statusOf(one), await statusOf(other)]).toEqual(['cancelled', 'pending']);
      const back = await start('second', 'api');
      expect(await isOpen()).toBe(true);
      expect(await confirm(back)).toBe(1);
      expect(await statusOf(other)).toBe('cancelled');
      // Nothing is left to tell.
      await stop('second');
      await start('second', 'api');
      expect(await isOpen()).toBe(false);
    });

    it('a node of the version before has noticed it: those of this one start nothing, either', async () => {
      const api = await start('api', 'api');
      token = await api.token();
      const id = await submit(api);
      // All that it does.
      await database.run(
        `INSERT INTO @brakes (scope, paused_time, paused_by) VALUES ('*', 1, 'system')`,
      );
      await askStart(api, id);
      await start('worker', 'worker');
      await untilOpen();
      await sweeps();
      expect(await statusOf(id)).toBe('pending');
      expect(await confirm(api)).toBe(0);
      await until(
        async () => (await statusOf(id)) === 'in_progress',
        () => 'nothing starts after the confirmation',
      );
    });

    it('a node without a head file takes the store’s', async () => {
      const api = await start('api', 'api');
      token = await api.token();
      await submit(api);
      await stop('api');
      rmSync(join(dataDirOf('api'), 'audit-head.json'));
      await start('api', 'api');
      expect(await isOpen()).toBe(false);
      expect(readdirSync(dataDirOf('api'))).toContain('audit-head.json');
    });
  },
);
