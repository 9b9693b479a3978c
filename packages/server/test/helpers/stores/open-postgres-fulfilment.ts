// A PostgreSQL store as fulfilment, operators and the API see it, on one virtual clock; the second worker
// has connections of its own, as another node has.

import { randomBytes } from 'node:crypto';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/database.ts';
import { createFulfilmentStore } from '../../../src/store/postgres/fulfilment-store.ts';
import { createRequestStore } from '../../../src/store/postgres/request-store.ts';
import { createForgettingOperator } from '../../../src/store/shared/forgetting/forgetting-operator.ts';
import { createForgettingStore } from '../../../src/store/shared/forgetting/forgetting-store.ts';
import { createVaultKeyStore } from '../../../src/store/shared/keys/vault-keys.ts';
import {
  createLegalHoldEnds,
  createLegalHoldStore,
} from '../../../src/store/shared/legal-holds/legal-holds.ts';
import { createLoggedStatus } from '../../../src/store/shared/requests/logged-status.ts';
import { createRestoreStore } from '../../../src/store/shared/restores/restores.ts';
import { createPauseOperator } from '../../../src/store/shared/tasks/pauses.ts';
import { createTaskCatalogue } from '../../../src/store/shared/tasks/task-catalogue.ts';
import { createTaskOperator } from '../../../src/store/shared/tasks/task-operator.ts';
import { createTenantWriter } from '../../../src/store/shared/tenants/tenant-writer.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { createKeysVault } from '../../../src/vault/seal-keys.ts';
import type {
  FulfilmentUnderTest,
  OpenFulfilmentStore,
} from '../../contract/fulfilment/under-test.ts';
import { forcePostgresRows } from './force-postgres-rows.ts';
import { freshStoreDatabase } from './fresh-store-database.ts';
import { testMacs, withTestMacs } from './row-macs.ts';
import { slowed } from './slowed.ts';

const REQUEST_NO = `(SELECT request_no FROM @all_requests
  WHERE request_uuid = $1::uuid AND controller_id = $2)`;

export const openPostgresFulfilment = (async (controllers, clock) => {
  const { database, options, close } = await freshStoreDatabase();
  const secondDatabase = withTestMacs(openDatabase(options));
  const ring = createMasterKeyRing([randomBytes(32)]);
  await createVaultKeyStore(database).addMasterKeys(ring.current.id, [], clock.now);
  const tenantWriter = createTenantWriter(database, testMacs());
  for (const controllerId of controllers) {
    await tenantWriter.addController(
      { controllerId, name: null, ssoOrganisation: null, createdTime: clock.now },
      'system',
    );
  }
  const identityVault = createIdentityVault(ring);
  const keysVault = createKeysVault(ring);
  const requestsOn = (one: Database) =>
    createRequestStore(one, identityVault.seal, () => clock.now);
  const run = async (sql: string, ...values: (string | number | null)[]) => {
    await database.run(sql, values);
  };

  const under: FulfilmentUnderTest = {
    requests: requestsOn(database),
    store: createFulfilmentStore(database, testMacs()),
    second: createFulfilmentStore(secondDatabase, testMacs()),
    leasesOfTheDead: 'end by themselves',
    tasks: createTaskCatalogue(database, testMacs()),
    operator: createTaskOperator(database, testMacs()),
    forgetting: createForgettingStore(database),
    forgettingOperator: createForgettingOperator(database),
    legalHolds: createLegalHoldStore(database),
    legalHoldEnds: createLegalHoldEnds(database),
    pauses: createPauseOperator(database),
    restores: createRestoreStore(database, testMacs()),
    slowRestores: (meanwhile) => createRestoreStore(slowed(database, meanwhile), testMacs()),
    loggedStatus: createLoggedStatus(database, testMacs()),
    async confirmBySql(time, by) {
      await run('UPDATE @restores SET confirmed_time = $1, confirmed_by = $2', time, by);
      await run('DELETE FROM @brakes');
    },
    sealIdentities: identityVault.seal,
    openIdentities: identityVault.open,
    openVia: identityVault.openVia,
    sealKeys: keysVault.seal,
    openKeys: keysVault.open,
    async requestsBeside() {
      const beside = withTestMacs(openDatabase(options));
      return { requests: requestsOn(beside), close: () => beside.close() };
    },
    audit: ({ controllerId, subjectRequestId }: RequestKey) =>
      database.all(
        `SELECT action, actor, detail
         FROM (SELECT audit_no, NULL AS arrival_no, action, actor, detail, request_no FROM @audit_rows
               UNION ALL
               SELECT NULL, arrival_no, action, actor, detail, request_no FROM @new_audit_rows)
           AS written
         WHERE request_no = ${REQUEST_NO} AND action <> 'request.created'
         ORDER BY audit_no NULLS LAST, arrival_no`,
        [subjectRequestId, controllerId],
      ),
    ...forcePostgresRows(database),
    forceRows: (taskNo, previewedRows) =>
      run('UPDATE @tasks SET previewed_rows = $1 WHERE task_no = $2', previewedRows, taskNo),
    forgetPlan: ({ controllerId, subjectRequestId }) =>
      run(
        `UPDATE @requests SET plan_id = NULL WHERE request_no = ${REQUEST_NO}`,
        subjectRequestId,
        controllerId,
      ),
    forgetTasks: ({ controllerId, subjectRequestId }) =>
      run(`DELETE FROM @tasks WHERE request_no = ${REQUEST_NO}`, subjectRequestId, controllerId),
    tamper: (statement) => run(statement),
    bytes: () => allBytes(database),
    async close() {
      await secondDatabase.close();
      await close();
    },
  };
  return { ...under, database, secondDatabase };
}) satisfies OpenFulfilmentStore;

/** Every value of every row. The server's own files have those of all other tests, too. */
async function allBytes(database: Database): Promise<Uint8Array[]> {
  const tables = await database.all<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1',
    [database.schema],
  );
  const found: Uint8Array[] = [];
  for (const { name } of tables) {
    const rows = await database.all<Record<string, unknown>>(`SELECT * FROM @${name}`);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      found.push(value instanceof Uint8Array ? value : Buffer.from(String(value)));
    }
  }
  return found;
}
