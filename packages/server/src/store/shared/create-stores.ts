// Builds the parts of a store that are the same for both databases.
import type { Store, WorkStore } from '../../domain/store/store.ts';
import { type Database, ping, tryWrite } from '../sql.ts';
import { createConditionStore } from './alarms/alarm-conditions.ts';
import { BY_MAIL, BY_WEBHOOK, createAlarmCatalogue, createDeliveryStore } from './alarms/alarms.ts';
import { createWatchStore } from './alarms/watched-requests.ts';
import { createAuditChain } from './audit/audit-chain.ts';
import { createAuditLog } from './audit/audit-log.ts';
import { createEventOperator, createEventStore } from './audit/event-progress.ts';
import { createWitnessStore } from './audit/witness.ts';
import { createForgettingOperator } from './forgetting/forgetting-operator.ts';
import { createForgettingStore } from './forgetting/forgetting-store.ts';
import { createDigestKeyStore } from './keys/digest-keys.ts';
import { createMasterKeyStore } from './keys/master-keys.ts';
import { createOwnSecretStore } from './keys/own-secrets.ts';
import { createProofKeyStore } from './keys/proof-keys.ts';
import { createRowKeyStore } from './keys/row-keys.ts';
import { createSigningKeyStore } from './keys/signing-keys.ts';
import { createVaultKeyStore } from './keys/vault-keys.ts';
import { createLegalHoldEnds, createLegalHoldStore } from './legal-holds/legal-holds.ts';
import { createOperatorStore } from './operators/operator-store.ts';
import { createReceiptStore } from './receipts/receipts.ts';
import { createRequestCatalogue } from './requests/catalogue.ts';
import { createLoggedStatus } from './requests/logged-status.ts';
import { createRestoreStore } from './restores/restores.ts';
import { createPauseOperator } from './tasks/pauses.ts';
import { createTaskCatalogue } from './tasks/task-catalogue.ts';
import { createTaskOperator } from './tasks/task-operator.ts';
import { createClosingStore } from './tenants/closing.ts';
import { createTenantWriter } from './tenants/tenant-writer.ts';
import { createTenantStore } from './tenants/tenants.ts';
import { createStatisticsStore } from './views/count-statistics.ts';
import { createOperatorViews } from './views/views.ts';

type OwnOfStore = 'enter' | 'clock' | 'auditHeads' | 'nodes' | 'migrated' | 'close';

/** What the command line and the API of one process work with. */
export function createStoreParts(
  writer: Database,
  reader: Database = writer,
): Omit<Store, OwnOfStore> {
  const { rowMacs } = writer;
  return {
    rowMacs,
    rowKeys: createRowKeyStore(writer),
    tenants: createTenantStore(reader, rowMacs),
    tenantWriter: createTenantWriter(writer, rowMacs),
    operators: createOperatorStore(writer, reader, rowMacs),
    catalogue: createRequestCatalogue(reader),
    loggedStatus: createLoggedStatus(reader, rowMacs),
    signingKeys: createSigningKeyStore(writer),
    vaultKeys: createVaultKeyStore(writer),
    masterKeys: createMasterKeyStore(writer),
    ownSecrets: createOwnSecretStore(writer),
    proofKeys: createProofKeyStore(writer, rowMacs),
    digestKeys: createDigestKeyStore(writer),
    tasks: createTaskCatalogue(reader, rowMacs),
    views: createOperatorViews(reader, rowMacs),
    operator: createTaskOperator(writer, rowMacs),
    pauses: createPauseOperator(writer),
    legalHolds: createLegalHoldStore(writer),
    closing: createClosingStore(reader),
    restores: createRestoreStore(writer, rowMacs, reader),
    alarms: { ...createAlarmCatalogue(reader), raise: createConditionStore(writer).raise },
    forgetting: createForgettingOperator(writer),
    readAudit: (read) => reader.unprepared.snapshot((sql) => read(createAuditChain(sql))),
    auditLog: createAuditLog(reader, writer),
    events: createEventOperator(writer, reader),
    receipts: createReceiptStore(writer, reader),
    ping: () => ping(reader),
    tryWrite: () => tryWrite(writer),
  };
}

type OwnOfWork = 'fulfilment' | 'auditHeads' | 'archive' | 'grownTables' | 'close';

/** What a worker uses; on a read-only connection, what decides whether a worker is needed. */
export function createWorkParts(database: Database): Omit<WorkStore, OwnOfWork> {
  const { rowMacs } = database;
  return {
    rowMacs,
    ownSecrets: createOwnSecretStore(database),
    proofKeys: createProofKeyStore(database, rowMacs),
    digestKeys: createDigestKeyStore(database),
    pauses: createPauseOperator(database),
    restores: createRestoreStore(database, rowMacs),
    receipts: createReceiptStore(database),
    forgetting: createForgettingStore(database),
    masterKeys: createMasterKeyStore(database),
    legalHolds: createLegalHoldEnds(database),
    watch: createWatchStore(database),
    conditions: createConditionStore(database),
    delivery: createDeliveryStore(database, BY_WEBHOOK),
    mailing: createDeliveryStore(database, BY_MAIL),
    witness: createWitnessStore(database),
    events: createEventStore(database),
    statistics: createStatisticsStore(database),
  };
}
