// What authenticates rows in tests that open a store without a vault: one key for all of them.
import { createSecretKey } from 'node:crypto';
import { auditClaim, createdClaim } from '../../../src/domain/audit/audit-claim.ts';
import { createRowMacs, type RowMacs } from '../../../src/domain/keys/row-macs.ts';
import type { OwnSecretStore } from '../../../src/domain/keys/secret-ports.ts';
import { createRowAuthenticator } from '../../../src/vault/authenticate-rows.ts';
import type { MasterKeyRing } from '../../../src/vault/master-key.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';

const KEY = Buffer.alloc(32, 7);
export const TEST_AUTHENTICATOR = createRowAuthenticator(createSecretKey(KEY));

export function testMacs(): RowMacs {
  const macs = createRowMacs();
  macs.setKey(TEST_AUTHENTICATOR);
  return macs;
}

/** Gives it to a store, or a connection, that was opened. */
export function withTestMacs<T extends { readonly rowMacs: RowMacs }>(store: T): T {
  store.rowMacs.setKey(TEST_AUTHENTICATOR);
  return store;
}

/** For threads, which read it from the store. */
export async function addTestRowKey(ownSecrets: OwnSecretStore, ring: MasterKeyRing) {
  const sealed = createSecretSealer(ring).seal(KEY, 'own secret: row authentication');
  await ownSecrets.addOwnSecret('row authentication', sealed);
}

/** Of a row that a test inserts as if it were ours; one of somebody else has `mac` of its own, or null. */
export function macOfRow(
  table: string,
  row: Readonly<Record<string, unknown>>,
): { mac?: Uint8Array; created_mac?: Uint8Array } {
  if (table === 'requests') return { created_mac: TEST_AUTHENTICATOR.macOf(createdOf(row)) };
  if (!table.endsWith('audit_rows')) return {};
  const claim = auditClaim({
    time: Number(row.time),
    actor: String(row.actor),
    action: String(row.action),
    controllerId: text(row.controller_id),
    subjectRequestId: text(row.subject_request_id),
    detail: text(row.detail),
    requestNo: (row.request_no ?? null) as number | null,
  });
  return { mac: TEST_AUTHENTICATOR.macOf(claim) };
}

function createdOf(row: Readonly<Record<string, unknown>>) {
  return createdClaim({
    controllerId: String(row.controller_id),
    subjectRequestId: String(row.subject_request_id),
    regulation: String(row.regulation),
    submittedTime: String(row.submitted_time),
    receivedTime: Number(row.received_time),
    createdBy: String(row.created_by),
    isNamed: Number(row.identity_count ?? 0) > 0,
  });
}

const text = (value: unknown) => (value == null ? null : String(value));
