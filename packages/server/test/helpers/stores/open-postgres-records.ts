import { createAuditHeadStore } from '../../../src/store/postgres/audit-heads.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/database.ts';
import { createReadMetrics } from '../../../src/store/postgres/read-metrics.ts';
import { createConditionStore } from '../../../src/store/shared/alarms/alarm-conditions.ts';
import {
  BY_MAIL,
  BY_WEBHOOK,
  createAlarmCatalogue,
  createDeliveryStore,
} from '../../../src/store/shared/alarms/alarms.ts';
import { createWatchStore } from '../../../src/store/shared/alarms/watched-requests.ts';
import { createAuditLog } from '../../../src/store/shared/audit/audit-log.ts';
import {
  createEventOperator,
  createEventStore,
} from '../../../src/store/shared/audit/event-progress.ts';
import { createForgettingStore } from '../../../src/store/shared/forgetting/forgetting-store.ts';
import { createMasterKeyStore } from '../../../src/store/shared/keys/master-keys.ts';
import { createOwnSecretStore } from '../../../src/store/shared/keys/own-secrets.ts';
import { createSigningKeyStore } from '../../../src/store/shared/keys/signing-keys.ts';
import { createVaultKeyStore } from '../../../src/store/shared/keys/vault-keys.ts';
import { createOperatorStore } from '../../../src/store/shared/operators/operator-store.ts';
import { createReceiptStore } from '../../../src/store/shared/receipts/receipts.ts';
import { createRequestCatalogue } from '../../../src/store/shared/requests/catalogue.ts';
import { createRestoreStore } from '../../../src/store/shared/restores/restores.ts';
import { createPauseOperator } from '../../../src/store/shared/tasks/pauses.ts';
import { createTaskCatalogue } from '../../../src/store/shared/tasks/task-catalogue.ts';
import { createTenantWriter } from '../../../src/store/shared/tenants/tenant-writer.ts';
import { createTenantStore } from '../../../src/store/shared/tenants/tenants.ts';
import { createOperatorViews } from '../../../src/store/shared/views/views.ts';
import type { RecordsNode, RecordsUnderTest, Row } from '../../contract/records/under-test.ts';
import { freshStoreDatabase } from './fresh-store-database.ts';
import { macOfRow, testMacs, withTestMacs } from './row-macs.ts';

export interface PostgresRecords extends RecordsUnderTest {
  readonly database: Database;
}

export async function openPostgresRecords(): Promise<PostgresRecords> {
  const fresh = await freshStoreDatabase();
  const { database } = fresh;
  const beside = withTestMacs(openDatabase(fresh.options));
  return {
    database,
    node: nodeOn(database),
    other: nodeOn(beside),
    async insert(table, row) {
      const uuid =
        'subject_request_id' in row && table.endsWith('requests')
          ? { request_uuid: row.subject_request_id ?? null }
          : {};
      const all = { ...macOfRow(table, row), ...row, ...uuid };
      const columns = Object.keys(all);
      await database.run(
        `INSERT INTO @${table} (${columns.join(', ')})
         VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
        Object.values(all),
      );
    },
    async insertOften(table, row, times) {
      const columns = Object.keys(row);
      await database.run(
        `INSERT INTO @${table} (${columns.join(', ')})
         SELECT ${columns.map((_, index) => `$${index + 1}`).join(', ')}
         FROM generate_series(1, ${times})`,
        Object.values(row),
      );
    },
    async update(table, key, changes) {
      const numbered = (names: string[], from: number) =>
        names.map((column, index) => `${column} = $${from + index}`);
      const set = numbered(Object.keys(changes), 1);
      const where = numbered(Object.keys(key), set.length + 1);
      await database.run(`UPDATE @${table} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`, [
        ...Object.values(changes),
        ...Object.values(key),
      ]);
    },
    async removeRow(table, key) {
      const where = Object.keys(key).map((column, index) => `${column} = $${index + 1}`);
      await database.run(`DELETE FROM @${table} WHERE ${where.join(' AND ')}`, Object.values(key));
    },
    newAuditRows: 'new_audit_rows',
    async remove(table) {
      await database.run(`DELETE FROM @${table}`);
    },
    rows: (table) => database.all<Row>(`SELECT * FROM @${table}`),
    async close() {
      await beside.close();
      await fresh.close();
    },
  };
}

function nodeOn(database: Database): RecordsNode {
  return {
    tenants: createTenantStore(database, testMacs()),
    tenantWriter: createTenantWriter(database, testMacs()),
    operators: createOperatorStore(database, database, testMacs()),
    catalogue: createRequestCatalogue(database),
    views: createOperatorViews(database, testMacs()),
    tasks: createTaskCatalogue(database, testMacs()),
    signingKeys: createSigningKeyStore(database),
    vaultKeys: createVaultKeyStore(database),
    masterKeys: createMasterKeyStore(database),
    ownSecrets: createOwnSecretStore(database),
    auditHeads: createAuditHeadStore(database),
    auditLog: createAuditLog(database),
    events: { ...createEventStore(database), ...createEventOperator(database) },
    receipts: createReceiptStore(database),
    forgetting: createForgettingStore(database),
    alarms: createAlarmCatalogue(database),
    watch: createWatchStore(database),
    conditions: createConditionStore(database),
    delivery: createDeliveryStore(database, BY_WEBHOOK),
    mailing: createDeliveryStore(database, BY_MAIL),
    pauses: createPauseOperator(database),
    restores: createRestoreStore(database, testMacs()),
    readMetrics: createReadMetrics(database),
  };
}
