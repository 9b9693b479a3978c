// Fulfilment as the server builds it, for one target: a real store, real sealing, a real connector.
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { createSqlConnector } from '../packages/server/src/connectors/sql/create-sql-connector.ts';
import { Identity } from '../packages/server/src/domain/request/identity.ts';
import type { SqlTargetConfig } from '../packages/server/src/domain/target/target.ts';
import { createBackoff } from '../packages/server/src/domain/task/backoff.ts';
import type { ControllerId } from '../packages/server/src/domain/tenant/controller-id.ts';
import { createRunBatch } from '../packages/server/src/fulfilment/batch/run-batch.ts';
import { createGate } from '../packages/server/src/fulfilment/gate/gate.ts';
import { createOpenIdentities } from '../packages/server/src/fulfilment/open-subjects.ts';
import { createPlanRequest } from '../packages/server/src/fulfilment/start/plan-request.ts';
import { createStartDue } from '../packages/server/src/fulfilment/start/start-due.ts';
import { databaseOn } from '../packages/server/src/store/sqlite/database.ts';
import { createFulfilmentStore } from '../packages/server/src/store/sqlite/fulfilment-store.ts';
import { openDatabase } from '../packages/server/src/store/sqlite/open-database.ts';
import { openSqliteStore } from '../packages/server/src/store/sqlite/open-store.ts';
import { createWriteBatch } from '../packages/server/src/store/sqlite/write-batch.ts';
import { createRowAuthenticator } from '../packages/server/src/vault/authenticate-rows.ts';
import { createMasterKeyRing } from '../packages/server/src/vault/master-key.ts';
import { createIdentityVault } from '../packages/server/src/vault/seal-identities.ts';
import { createKeysVault } from '../packages/server/src/vault/seal-keys.ts';

export interface BenchFulfilment {
  /** Requests that are started and wait for their batch. */
  prepare(emails: readonly string[]): Promise<void>;
  /** All that wait, in as many batches at a time as the target's configuration says. */
  runAll(): Promise<number>;
  close(): Promise<void>;
}

const CONTROLLER = 'acme' as ControllerId;

export async function createBenchFulfilment(
  dataDir: string,
  target: SqlTargetConfig,
): Promise<BenchFulfilment> {
  const opened = openSqliteStore(dataDir, Date.now);
  const rowKey = createRowAuthenticator(createSecretKey(randomBytes(32)));
  opened.rowMacs.setKey(rowKey);
  const ring = createMasterKeyRing([randomBytes(32)]);
  await opened.vaultKeys.addMasterKeys(ring.current.id, [], Date.now());
  const controller = { name: null, ssoOrganisation: null, createdTime: Date.now() };
  await opened.tenantWriter.addController({ controllerId: CONTROLLER, ...controller }, 'system');
  const vault = createIdentityVault(ring);
  const openIdentities = createOpenIdentities(vault.open);
  const database = openDatabase(opened.databasePath, 'write');
  databaseOn(database).rowMacs.setKey(rowKey);
  const store = createFulfilmentStore(database, opened.rowMacs);
  const write = createWriteBatch(database, vault.seal, Date.now, rowKey);
  const connector = createSqlConnector(target, { hash: (value) => value });
  const startDue = createStartDue({
    store,
    plan: createPlanRequest([target]),
    openIdentities,
    digest: () => randomBytes(32),
    digestAcross: () => [],
    clock: Date.now,
    maxStartsPerDay: null,
    cancellationWindowMs: 0,
  });
  const runBatch = createRunBatch({
    store,
    clock: Date.now,
    backoff: createBackoff(1000, Math.random),
    targetNamed: () => target,
    allTargets: () => [],
    connectorOf: async () => connector,
    release: () => undefined,
    gate: createGate(Date.now),
    openIdentities,
    sealIdentities: vault.seal,
    openVia: vault.openVia,
    keysVault: createKeysVault(ring),
    digestAcross: () => [],
    digestAll: () => [],
  });

  /** Lease, erase, verify, evidence; answers how many were erased. */
  async function runSlot(): Promise<number> {
    let erased = 0;
    for (;;) {
      const now = Date.now();
      const lease = { worker: 'bench', now, leaseUntil: now + 60_000 };
      const batch = await store.leaseBatch({
        ...lease,
        target: target.name,
        max: target.batchSize,
      });
      if (batch === undefined) return erased;
      const { outcomes } = await runBatch(batch, target);
      erased += outcomes.filter(
        (it) => it.outcome === 'erased' && it.evidence.action === 'erased',
      ).length;
    }
  }

  return {
    async prepare(emails) {
      write(
        emails.map((email) => ({
          op: 'create',
          request: {
            controllerId: CONTROLLER,
            subjectRequestId: randomUUID() as SubjectRequestId,
            regulation: 'gdpr',
            submittedTime: new Date().toISOString(),
            identities: [new Identity('email', email)],
            actor: 'bench',
          },
        })),
      );
      while ((await startDue()).started > 0);
    },
    async runAll() {
      const slots = Array.from({ length: target.concurrency }, runSlot);
      return (await Promise.all(slots)).reduce((sum, erased) => sum + erased, 0);
    },
    async close() {
      await connector.close();
      database.close();
      await opened.close();
    },
  };
}
