import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import type { SealedBytes } from '../../src/domain/task/fulfilment-ports.ts';
import { createCheckpointer } from '../../src/store/sqlite/checkpointer.ts';
import { openDatabase } from '../../src/store/sqlite/open-database.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createRequestStore } from '../../src/store/sqlite/request-store.ts';
import { startWriterThread } from '../../src/store/sqlite/writer-thread.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { createIdentityVault } from '../../src/vault/seal-identities.ts';
import { atEndOfFile } from '../helpers/at-end-of-file.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { makePostgresRequests } from '../helpers/stores/make-postgres-requests.ts';
import { addTestRowKey, withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeStoreFolder } from '../helpers/stores/store-folder.ts';
import { describeRequestStore, type MakeStore } from './request-store-suite.ts';

const REQUEST_NO =
  '(SELECT request_no FROM requests WHERE controller_id = ? AND subject_request_id = ?)';

/** One for all tests: each starts a thread, and they have requests of their own. */
let shared: ReturnType<typeof openShared> | undefined;

async function openShared(controllers: Parameters<MakeStore>[0]) {
  const folder = await makeStoreFolder();
  const opened = withTestMacs(openSqliteStore(folder.path, Date.now));
  const masterKeys = [randomBytes(32)];
  const ring = createMasterKeyRing(masterKeys);
  await opened.vaultKeys.addMasterKeys(ring.current.id, [], Date.now());
  await addTestRowKey(opened.ownSecrets, ring);
  for (const controllerId of controllers) {
    await opened.tenantWriter.addController(
      { controllerId, name: null, ssoOrganisation: null, createdTime: Date.now() },
      'system',
    );
  }
  const { databasePath } = opened;
  const writer = await startWriterThread(
    new URL('../../src/app/writer.ts', import.meta.url),
    { databasePath, masterKeys },
    () => undefined,
  );
  const checkpointer = createCheckpointer({ databasePath }, writer.checkpoint);
  const database = openDatabase(databasePath, 'write');
  atEndOfFile(async () => {
    shared = undefined;
    await checkpointer.close();
    await writer.close();
    database.close();
    await opened.close();
    folder.remove();
  });
  return { opened, writer, checkpointer, database, vault: createIdentityVault(ring) };
}

const makeSqliteStore: MakeStore = async (controllers) => {
  shared ??= openShared(controllers);
  const { opened, writer, checkpointer, database, vault } = await shared;
  let transactions = 0;
  const write = (ops: Parameters<typeof writer.run>[0]) => {
    transactions++;
    return writer.run(ops);
  };
  const store = createRequestStore(opened.reader, write, checkpointer);

  return {
    store,
    transactions: () => transactions,
    async poison(subjectRequestId) {
      // The audit row is the last statement of a create.
      database.exec(`
        CREATE TRIGGER poison BEFORE INSERT ON audit_rows
        WHEN NEW.subject_request_id = '${subjectRequestId}'
        BEGIN SELECT RAISE(ABORT, 'poisoned'); END
      `);
    },
    async setStatus({ controllerId, subjectRequestId }, status) {
      database
        .prepare(`UPDATE requests SET status = ? WHERE request_no = ${REQUEST_NO}`)
        .run(status, controllerId, subjectRequestId);
    },
    audit: async ({ controllerId, subjectRequestId }) =>
      database
        .prepare(
          `SELECT action, actor, time FROM audit_rows
           WHERE controller_id = ? AND subject_request_id = ? ORDER BY audit_no`,
        )
        .all(controllerId, subjectRequestId)
        .map((row) => ({ ...row })) as { action: string; actor: string; time: number }[],
    async openIdentities(key) {
      const row = database
        .prepare(
          `SELECT master_key_id AS masterKeyId, wrapped_key AS wrappedKey, sealed
           FROM sealed_identities WHERE request_no = ${REQUEST_NO}`,
        )
        .get(key.controllerId, key.subjectRequestId);
      return row === undefined ? undefined : vault.open(key, row as unknown as SealedBytes);
    },
    async close() {
      database.exec('DROP TRIGGER IF EXISTS poison');
    },
  };
};

describeRequestStore('SQLite, behind the writer thread', makeSqliteStore);

describe.skipIf(!(await hasPostgres()))('on a server', () => {
  describeRequestStore('PostgreSQL', makePostgresRequests);
});
