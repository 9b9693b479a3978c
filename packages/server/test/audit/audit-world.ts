// A real store whose audit log is sealed on a virtual clock, and somebody who writes to its file.
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { createSignedHead } from '../../src/app/proof/signed-heads.ts';
import { createCutAudit } from '../../src/audit/cut-audit.ts';
import { createSignatureVerifier, loadProofSigner } from '../../src/audit/proof-key.ts';
import { createSealAudit } from '../../src/audit/seal-audit.ts';
import { verifyAudit } from '../../src/audit/verify-audit.ts';
import type { AuditHead, KnownHead } from '../../src/domain/audit/proof-ports.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { createHeadFile } from '../../src/restore/head-file.ts';
import { createStoreWatch } from '../../src/restore/watch-store.ts';
import { createAuditHeadStore } from '../../src/store/sqlite/audit-heads.ts';
import { databaseOn } from '../../src/store/sqlite/database.ts';
import { openDatabase } from '../../src/store/sqlite/open-database.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeStoreFolder } from '../helpers/stores/store-folder.ts';

export const NOON = Date.parse('2026-11-15T12:00:00Z');

export async function makeAuditWorld() {
  const folder = await makeStoreFolder();
  const clock = { now: NOON };
  const store = withTestMacs(openSqliteStore(folder.path, () => clock.now));
  const database = openDatabase(store.databasePath, 'write');
  const masterKeys = createMasterKeyRing([randomBytes(32)]);
  const sealer = createSecretSealer(masterKeys);
  const signer = await loadProofSigner(store, sealer, clock.now);
  withTestMacs(databaseOn(database));
  const heads = createAuditHeadStore(database);
  const verifySignature = createSignatureVerifier([signer.publicKey]);
  const sealAudit = createSealAudit(heads, signer);
  const headFile = createHeadFile(folder.path);
  const told: object[] = [];
  const watch = createStoreWatch({
    restores: store.restores,
    headFile,
    node: 'here',
    clock: () => clock.now,
    signedHead: await createSignedHead({ ...store, auditHeads: heads }, masterKeys, clock.now),
    warn: (fields, message) => told.push({ ...fields, message }),
  });
  let written = 0;
  onTestFinished(async () => {
    database.close();
    await store.close();
    folder.remove();
  });

  return {
    folder: folder.path,
    clock,
    store,
    database,
    sealer,
    signer,
    heads,
    headFile,
    watch,
    told,
    sealAudit,
    cut: (retentionMs = 0) =>
      createCutAudit({ store: heads, signer, verifySignature, retentionMs })(clock.now),
    /** Each makes a row of the audit log. */
    async write(rows: number): Promise<void> {
      for (let n = 0; n < rows; n++) {
        const controllerId = `controller-${++written}` as ControllerId;
        const controller = { controllerId, name: null, ssoOrganisation: null };
        await store.tenantWriter.addController({ ...controller, createdTime: clock.now }, 'system');
      }
    },
    /** Seals what has come since, a second later. */
    async seal(): Promise<AuditHead> {
      clock.now += 1000;
      const sealed = await sealAudit(clock.now);
      if (sealed === undefined) throw new Error('there was nothing to seal');
      return sealed.head;
    },
    /** From outside, on the file, as somebody with the disk would. */
    tamper(...statements: string[]): void {
      const outside = new DatabaseSync(store.databasePath);
      for (const sql of statements) outside.exec(sql);
      outside.close();
    },
    verify: (known: readonly KnownHead[] = [], keys: readonly string[] = [signer.publicKey]) =>
      verifyAudit(store.auditHeads, { verifySignature: createSignatureVerifier(keys), known }),
  };
}

export const knownOf = ({ headNo, hash }: AuditHead): KnownHead => ({
  headNo,
  hash: Buffer.from(hash).toString('hex'),
});
