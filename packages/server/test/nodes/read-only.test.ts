// A database that still answers and takes no more writes: after a failover, or because it was set so. And a node
// whose data folder takes none.
import { renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type FreshDatabase,
  freshPostgres,
  hasPostgres,
} from '../helpers/databases/fresh-postgres.ts';
import { call, postJson } from '../helpers/http/api.ts';
import { expectError } from '../helpers/http/error-shape.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';
import type { TestService } from '../helpers/servers/service.ts';

describe.skipIf(!(await hasPostgres()))(
  'a node whose database or data folder turns read-only',
  () => {
    let database: FreshDatabase;
    let installation: TestNodes;
    let node: TestService;

    beforeAll(async () => {
      database = await freshPostgres();
      installation = await startNodes({ roles: ['api'], url: database.url });
      node = installation.nodes[0] as TestService;
    });
    afterAll(async () => {
      await installation.close();
      await database.close();
    });

    async function requestsSchema(): Promise<string> {
      const [row] = await database.query(
        `SELECT table_schema FROM information_schema.tables WHERE table_name = 'requests'`,
      );
      return String(row?.table_schema);
    }

    async function setReadOnly(value: 'on' | 'off'): Promise<void> {
      await database.query(`
      SET transaction_read_only = off;
      DO $$ BEGIN EXECUTE format(
        'ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$;
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    }

    it('is not ready while the database is read-only, and is ready again when it accepts writes', async () => {
      const token = await node.token();
      await setReadOnly('on');

      // The first may still meet a connection that was cut.
      await vi.waitFor(
        async () => {
          expectError(await postJson(`${node.url}/requests`, requestBody(), token), 503);
          const ready = await call(`${node.url}/health/ready`);
          expect(ready.status).toBe(503);
          expect(ready.body.reasons).toEqual([
            'the store is read-only: creates and cancels cannot be stored',
          ]);
        },
        { timeout: 15_000 },
      );
      await setReadOnly('off');
      // Again the first may meet one.
      await vi.waitFor(
        async () => {
          expect((await call(`${node.url}/health/ready`)).status).toBe(200);
          expect((await postJson(`${node.url}/requests`, requestBody(), token)).status).toBe(201);
        },
        { timeout: 15_000 },
      );
    });

    it('is ready only while its data folder can be written, where cancellations are kept too', async () => {
      const token = await node.token();
      const cancelOne = async () => {
        const { body } = await postJson(`${node.url}/requests`, requestBody(), token);
        const path = `${node.url}/requests/${body.subject_request_id}`;
        return call(path, { method: 'DELETE', token });
      };
      const away = `${node.dataDir}-away`;
      renameSync(node.dataDir, away);
      try {
        expectError(await cancelOne(), 503);
        const ready = await call(`${node.url}/health/ready`);
        expect(ready.status).toBe(503);
        expect(ready.body.reasons).toEqual([
          'the data folder is not writable: cancels cannot be stored',
        ]);
      } finally {
        renameSync(away, node.dataDir);
      }
      expect((await call(`${node.url}/health/ready`)).status).toBe(200);
      expect((await cancelOne()).status).toBe(202);
    });

    it('is not ready while requests find no space, although its own heartbeat still does', async () => {
      const token = await node.token();
      const schema = await requestsSchema();
      await database.query(`
        CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT ON ${schema}.requests EXECUTE FUNCTION full_disk()`);
      try {
        expectError(await postJson(`${node.url}/requests`, requestBody(), token), 503);
        const ready = await call(`${node.url}/health/ready`);
        expect(ready.status).toBe(503);
        expect(ready.body.reasons).toEqual(['the store cannot be written (53100)']);
      } finally {
        await database.query('DROP FUNCTION full_disk CASCADE');
      }
      expect((await postJson(`${node.url}/requests`, requestBody(), token)).status).toBe(201);
    });
  },
);
