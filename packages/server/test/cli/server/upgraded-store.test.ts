// A store as the version before left it, where nothing was authenticated, made with the migrations of that version. The
// first start of this version authenticates all that is there, once, and everything goes on.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { SubjectRequestId } from '@unwrite/protocol';
import { describe, expect, it } from 'vitest';
import { makeSecret } from '../../../src/auth/client-secret.ts';
import { secretContext } from '../../../src/domain/keys/open-secret.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { postgresStatement } from '../../../src/store/dialect.ts';
import { readMigrations as readPostgres } from '../../../src/store/postgres/migrate.ts';
import { readMigrations as readSqlite } from '../../../src/store/sqlite/migrate.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { makeMasterKeyFile, readMasterKeyFile } from '../../../src/vault/master-key-file.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import { call } from '../../helpers/http/api.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { until } from '../../helpers/until.ts';
import { useInstallation } from '../use-installation.ts';

/** The last migration of that version. */
const LAST = { sqlite: 8, postgres: 6 } as const;
const WITHIN_MS = 120_000;
const DAY = 86_400_000;
const MIGRATIONS = `CREATE TABLE @schema_migrations (
  number integer PRIMARY KEY, name text NOT NULL, digest text NOT NULL, applied_time `;

for (const kind of await storesInMatrix('cli/server/upgraded-store')) {
  describe(`a store of the version before, on ${kind}`, () => {
    const installation = useInstallation(kind);
    const { inStore, json, unwrite, serve, options } = installation;
    const isSqlite = kind === 'sqlite';
    const hex = (bytes: Uint8Array) => {
      const digits = Buffer.from(bytes).toString('hex');
      return isSqlite ? `x'${digits}'` : `'\\x${digits}'`;
    };

    async function write(...statements: string[]): Promise<void> {
      const { database } = installation.store();
      if (database !== undefined) {
        const inSchema = statements.map((text) => postgresStatement(text, 'unwrite', false).text);
        await database.query(inSchema.join(';\n'));
        return;
      }
      mkdirSync(options().dataDir, { recursive: true });
      const file = new DatabaseSync(`${options().dataDir}/unwrite.db`);
      file.exec('PRAGMA journal_mode = WAL');
      file.exec(statements.map((text) => text.replaceAll('@', '')).join(';\n'));
      file.close();
    }

    async function makeSchema(): Promise<void> {
      const all = isSqlite ? readSqlite() : readPostgres();
      const old = all.filter(({ number }) => number <= LAST[kind]);
      if (!isSqlite) await write('CREATE SCHEMA unwrite');
      await write(
        `${MIGRATIONS}${isSqlite ? 'INTEGER NOT NULL) STRICT' : 'timestamptz NOT NULL DEFAULT now())'}`,
      );
      for (const { number, name, digest, sql } of old) {
        const columns = `number, name, digest${isSqlite ? ', applied_time' : ''}`;
        const values = `${number}, '${name}', '${digest}'${isSqlite ? ', 0' : ''}`;
        await write(sql, `INSERT INTO @schema_migrations (${columns}) VALUES (${values})`);
      }
    }

    it('is authenticated once; its clients, requests and log are taken as they are, and what is added later is not', {
      timeout: 3 * WITHIN_MS,
    }, async () => {
      await makeSchema();
      mkdirSync(options().dataDir, { recursive: true });
      const keyFile = `${options().dataDir}/master.key`;
      makeMasterKeyFile(keyFile);
      const ring = createMasterKeyRing(readMasterKeyFile(keyFile));
      const { secretId, secret, digest } = makeSecret();
      const now = Date.now();
      const ids = [randomUUID(), randomUUID(), randomUUID()];
      const uuid = isSqlite ? '' : 'request_uuid, ';
      const request = (no: number, status: string, more: string) => {
        const id = ids[no - 1];
        return `INSERT INTO @requests (request_no, controller_id, subject_request_id, ${uuid}status, regulation,
            submitted_time, received_time, created_by, identity_count, cancelled_time, completed_time, started_time, receipted_time)
          VALUES (${no}, 'acme', '${id}', ${isSqlite ? '' : `'${id}', `}'${status}', 'gdpr',
            '${new Date(now - DAY).toISOString()}', ${now - DAY}, 'client:cli_old', 1, ${more})`;
      };
      const audit = (no: number, action: string, requestNo: number | 'NULL') =>
        `INSERT INTO @audit_rows (audit_no, time, actor, action, controller_id, subject_request_id, detail, request_no)
         VALUES (${no}, ${now - DAY + no}, 'client:cli_old', '${action}', 'acme',
           ${requestNo === 'NULL' ? 'NULL' : `'${ids[requestNo - 1]}'`}, NULL, ${requestNo})`;
      const { wrappedKey, sealed } = createIdentityVault(ring).seal(
        { controllerId: 'acme' as ControllerId, subjectRequestId: ids[0] as SubjectRequestId },
        [new Identity('email', 'jane@example.com')],
      );
      const digests = createSecretSealer(ring).seal(
        randomBytes(32),
        secretContext('identity digests'),
      );
      await write(
        `INSERT INTO @master_keys (master_key_id, created_time, adopted_time) VALUES ('${ring.current.id}', 0, 1)`,
        `INSERT INTO @own_secrets VALUES ('identity digests', ${hex(digests)})`,
        `INSERT INTO @controllers VALUES ('acme', 'Acme', NULL, 0)`,
        `INSERT INTO @clients VALUES ('cli_old', 'acme', NULL, 0, NULL)`,
        `INSERT INTO @client_secrets VALUES ('${secretId}', 'cli_old', ${hex(digest)}, 0, NULL)`,
        request(1, 'pending', 'NULL, NULL, NULL, NULL'),
        request(2, 'cancelled', `${now}, NULL, NULL, NULL`),
        request(3, 'completed', `NULL, ${now}, ${now}, ${now}`),
        `INSERT INTO @sealed_identities VALUES (1, '${ring.current.id}', ${hex(wrappedKey)}, ${hex(sealed)})`,
        ...['client.created', 'request.created', 'request.created', 'request.cancelled'].map(
          (action, at) => audit(at + 1, action, ['NULL' as const, 1, 2, 2][at] ?? 'NULL'),
        ),
        audit(5, 'request.created', 3),
        audit(6, 'request.completed', 3),
      );

      const server = await serve('--cancellation-window', '0s');
      const isInLog = "SELECT 1 AS one FROM audit_rows WHERE action = 'rows.authenticated'";
      await until(
        async () => (await inStore(isInLog)).length > 0,
        () => 'it is not in the log',
        WITHIN_MS,
      );
      for (const table of ['controllers', 'clients', 'client_secrets', 'audit_rows']) {
        expect(await inStore(`SELECT * FROM ${table} WHERE mac IS NULL`), table).toEqual([]);
      }
      expect(await inStore('SELECT * FROM requests WHERE created_mac IS NULL')).toEqual([]);

      const answer = await call(`${server.url}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          grant_type: 'client_credentials',
          client_id: 'cli_old',
          client_secret: secret,
          audience: `http://localhost:${options().port}`,
        }),
      });
      expect(answer.status, answer.text).toBe(200);
      const show = () => json('request', 'show', String(ids[0]), '--controller', 'acme');
      await until(
        async () => (await show()).tasks.length > 0,
        () => 'the old request does not start',
        WITHIN_MS,
      );
      expect((await show()).tasks).toMatchObject([{ state: 'held', reason: 'manual' }]);
      await until(
        async () => (await unwrite('audit', 'verify')).exitCode === 0,
        () => 'the log does not verify',
        WITHIN_MS,
      );
      expect(await json('alarms', 'list')).toEqual([]);

      // Once: what is written into it from now on without a MAC is somebody else's.
      await server.kill('SIGTERM');
      await inStore("INSERT INTO controllers (controller_id, created_time) VALUES ('evil', 0)");
      await serve('--cancellation-window', '0s');
      expect(await inStore("SELECT mac FROM controllers WHERE controller_id = 'evil'")).toEqual([
        { mac: null },
      ]);
      const listed = await json('controller', 'list');
      expect(JSON.stringify(listed)).not.toContain('evil');
    });
  });
}
