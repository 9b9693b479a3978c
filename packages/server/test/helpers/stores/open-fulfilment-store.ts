// A SQLite store as fulfilment, operators and the API see it, on one virtual clock.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { FulfilmentStore } from '../../../src/domain/task/fulfilment-ports.ts';
import { createForgettingStore } from '../../../src/store/shared/forgetting/forgetting-store.ts';
import { createLegalHoldEnds } from '../../../src/store/shared/legal-holds/legal-holds.ts';
import { createRestoreStore } from '../../../src/store/shared/restores/restores.ts';
import { createCheckpointer } from '../../../src/store/sqlite/checkpointer.ts';
import { databaseOn } from '../../../src/store/sqlite/database.ts';
import { createFulfilmentStore } from '../../../src/store/sqlite/fulfilment-store.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { createRequestStore } from '../../../src/store/sqlite/request-store.ts';
import { createWriteBatch } from '../../../src/store/sqlite/write-batch.ts';
import { startWriterThread } from '../../../src/store/sqlite/writer-thread.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { createKeysVault } from '../../../src/vault/seal-keys.ts';
import type {
  AuditLine,
  FulfilmentUnderTest,
  OpenFulfilmentStore,
} from '../../contract/fulfilment/under-test.ts';
import { forceSqliteRows } from './force-sqlite-rows.ts';
import { addTestRowKey, TEST_AUTHENTICATOR, withTestMacs } from './row-macs.ts';
import { slowed } from './slowed.ts';
import { makeStoreFolder } from './store-folder.ts';

const REQUEST_NO =
  '(SELECT request_no FROM requests WHERE controller_id = ? AND subject_request_id = ?)';
const NO_CHECKPOINTS = { wrote: () => undefined, shredded: () => undefined };

export const openSqliteFulfilment = (async (controllers, clock) => {
  const folder = await makeStoreFolder();
  const opened = withTestMacs(openSqliteStore(folder.path, () => clock.now));
  const { databasePath, reader, rowMacs } = opened;
  const masterKeys = [randomBytes(32)];
  const ring = createMasterKeyRing(masterKeys);
  await opened.vaultKeys.addMasterKeys(ring.current.id, [], clock.now);
  await addTestRowKey(opened.ownSecrets, ring);
  for (const controllerId of controllers) {
    await opened.tenantWriter.addController(
      { controllerId, name: null, ssoOrganisation: null, createdTime: clock.now },
      'system',
    );
  }
  const identityVault = createIdentityVault(ring);
  const keysVault = createKeysVault(ring);
  const connect = () => {
    const connection = openDatabase(databasePath, 'write');
    connection.exec('PRAGMA synchronous = OFF');
    withTestMacs(databaseOn(connection));
    return connection;
  };
  const database = connect();
  let second: { readonly database: DatabaseSync; readonly store: FulfilmentStore } | undefined;
  /** Few cases need it. */
  function openSecond() {
    const opened = connect();
    return { database: opened, store: createFulfilmentStore(opened, rowMacs) };
  }
  const writeBatch = createWriteBatch(
    database,
    identityVault.seal,
    () => clock.now,
    TEST_AUTHENTICATOR,
  );
  const run = (sql: string, ...values: (string | number | null)[]) =>
    database.prepare(sql).run(...values);

  const under: FulfilmentUnderTest = {
    requests: createRequestStore(reader, async (ops) => writeBatch(ops), NO_CHECKPOINTS),
    store: createFulfilmentStore(database, opened.rowMacs),
    get second() {
      second ??= openSecond();
      return second.store;
    },
    leasesOfTheDead: 'end at once',
    tasks: opened.tasks,
    operator: opened.operator,
    forgetting: createForgettingStore(databaseOn(database)),
    forgettingOperator: opened.forgetting,
    legalHolds: opened.legalHolds,
    legalHoldEnds: createLegalHoldEnds(databaseOn(database)),
    pauses: opened.pauses,
    restores: opened.restores,
    slowRestores: (meanwhile) =>
      createRestoreStore(slowed(databaseOn(database), meanwhile), opened.rowMacs),
    loggedStatus: opened.loggedStatus,
    async confirmBySql(time, by) {
      run('UPDATE restores SET confirmed_time = ?, confirmed_by = ?', time, by);
      run('DELETE FROM brakes');
    },
    sealIdentities: identityVault.seal,
    openIdentities: identityVault.open,
    openVia: identityVault.openVia,
    sealKeys: keysVault.seal,
    openKeys: keysVault.open,
    async requestsBeside() {
      const entry = new URL('../../../src/app/writer.ts', import.meta.url);
      const writer = await startWriterThread(entry, { databasePath, masterKeys }, () => undefined);
      const checkpointer = createCheckpointer({ databasePath }, writer.checkpoint);
      return {
        requests: createRequestStore(reader, writer.run, checkpointer),
        async close() {
          await checkpointer.close();
          await writer.close();
        },
      };
    },
    audit: async ({ controllerId, subjectRequestId }: RequestKey) =>
      database
        .prepare(
          `SELECT action, actor, detail FROM audit_rows
           WHERE request_no = ${REQUEST_NO} AND action <> 'request.created' ORDER BY audit_no`,
        )
        .all(controllerId, subjectRequestId)
        .map((row) => ({ ...row }) as unknown as AuditLine),
    ...forceSqliteRows(database),
    async forceRows(taskNo, previewedRows) {
      run('UPDATE tasks SET previewed_rows = ? WHERE task_no = ?', previewedRows, taskNo);
    },
    async forgetPlan({ controllerId, subjectRequestId }) {
      run(
        `UPDATE requests SET plan_id = NULL WHERE request_no = ${REQUEST_NO}`,
        controllerId,
        subjectRequestId,
      );
    },
    async forgetTasks({ controllerId, subjectRequestId }) {
      run(`DELETE FROM tasks WHERE request_no = ${REQUEST_NO}`, controllerId, subjectRequestId);
    },
    tamper: async (statement) => database.exec(statement.replaceAll('@', '')),
    bytes: async () =>
      readdirSync(folder.path).map((file) => readFileSync(join(folder.path, file))),
    async close() {
      database.close();
      second?.database.close();
      await opened.close();
      folder.remove();
    },
  };
  return Object.assign(under, { database });
}) satisfies OpenFulfilmentStore;
