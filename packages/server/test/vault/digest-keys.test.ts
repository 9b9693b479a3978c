// Digest keys have a period, and go with the last record of it.

import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../src/domain/request/identity.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { openDatabase } from '../../src/store/sqlite/open-database.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createIdentityDigest } from '../../src/vault/digest-identities.ts';
import { loadDigestKeys } from '../../src/vault/digest-keys.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

const DAY = 86_400_000;
const QUARTER = 91 * DAY;
const YEARS = 730 * DAY;
const ACME = 'acme' as ControllerId;
const JANE = new Identity('email', 'jane@example.com');
const BY = { actor: 'operator:olga', now: 0 };
const sealer = createSecretSealer(createMasterKeyRing([Buffer.alloc(32, 5)]));

let folder: TemporaryFolder;
let store: SqliteStore;
let database: ReturnType<typeof openDatabase>;

beforeEach(() => {
  folder = makeTemporaryFolder();
  store = withTestMacs(openSqliteStore(folder.path, () => 0));
  database = openDatabase(store.databasePath, 'write');
  database.exec("INSERT INTO controllers (controller_id, created_time) VALUES ('acme', 0)");
});
afterEach(async () => {
  database.close();
  await store.close();
  folder.remove();
});

function addRequest(no: number, digest: Uint8Array): void {
  database
    .prepare(
      `INSERT INTO requests (request_no, controller_id, subject_request_id, status, regulation,
         submitted_time, received_time, created_by, identity_count)
       VALUES (?, 'acme', ?, 'completed', 'gdpr', '', 0, 'c', 1)`,
    )
    .run(no, `request ${no}`);
  database.prepare('INSERT INTO identity_digests VALUES (?, ?)').run(digest, no);
}

const names = async () => (await store.digestKeys.digestKeys()).map(({ name }) => name).sort();
const seen = async (digests: Uint8Array[]) =>
  (await store.forgetting.seen(ACME, digests, BY)).map((it) => it.subjectRequestId);

describe('digest keys', () => {
  it('are replaced after their period; lookups find what any of them has made', async () => {
    const keys = await loadDigestKeys(store, sealer, 0);
    addRequest(1, keys.digest(ACME, JANE));
    await keys.maintain(QUARTER, YEARS, QUARTER - 1);
    expect(await names()).toEqual(['identity digests']);
    await keys.maintain(QUARTER, YEARS, QUARTER);
    expect(await names()).toEqual(['identity digests', 'identity digests 1']);
    addRequest(2, keys.digest(ACME, JANE));
    expect(keys.digestAll(ACME, JANE)).toHaveLength(2);
    expect(await seen(keys.digestAll(ACME, JANE))).toEqual(['request 1', 'request 2']);
    // Another process finds the same ones.
    const other = await loadDigestKeys(store, sealer, QUARTER + 1);
    expect(other.digest(ACME, JANE)).toEqual(keys.digest(ACME, JANE));
    expect(other.digest(ACME, JANE)).not.toEqual(keys.digestAll(ACME, JANE)[0]);
  });

  it('are destroyed with the last record of their period, and not before', async () => {
    const keys = await loadDigestKeys(store, sealer, 0);
    const digest = keys.digest(ACME, JANE);
    addRequest(1, digest);
    await keys.maintain(QUARTER, YEARS, QUARTER);
    const late = QUARTER + YEARS;
    await keys.maintain(10 * YEARS, YEARS, late);
    expect(await names()).toEqual(['identity digests', 'identity digests 1']);
    database.exec('DELETE FROM identity_digests');
    await keys.maintain(10 * YEARS, YEARS, late - 1);
    expect(await names()).toContain('identity digests 1');
    await keys.maintain(10 * YEARS, YEARS, late);
    expect(await names()).toEqual(['identity digests']);
    // No key that is left makes the digest that an old backup holds.
    const left = (await loadDigestKeys(store, sealer, late)).digestAll(ACME, JANE);
    expect(left.map((one) => Buffer.from(one).toString('hex'))).not.toContain(
      Buffer.from(digest).toString('hex'),
    );
    const actions = await store.auditLog.list({ actor: 'system', limit: 9 });
    expect(actions.map(({ action }) => action)).toEqual([
      'digest_key.destroyed',
      'digest_key.replaced',
    ]);
  });

  it('from before there were periods still find, and go like the others', async () => {
    const legacy = Buffer.alloc(32, 9);
    await store.ownSecrets.addOwnSecret(
      'identity digests',
      sealer.seal(legacy, 'own secret: identity digests'),
    );
    addRequest(1, createIdentityDigest(createSecretKey(legacy))(ACME, JANE));
    const keys = await loadDigestKeys(store, sealer, YEARS);
    await keys.maintain(QUARTER, YEARS, YEARS);
    expect(await seen(keys.digestAll(ACME, JANE))).toEqual(['request 1']);
    expect(await names()).toEqual(['identity digests', 'identity digests 0']);
    addRequest(2, keys.digest(ACME, JANE));
    database.exec('DELETE FROM identity_digests WHERE request_no = 1');
    await keys.maintain(10 * YEARS, YEARS, 3 * YEARS);
    expect(await names()).toEqual(['identity digests']);
    expect(await seen(keys.digestAll(ACME, JANE))).toEqual(['request 2']);
  });

  it('are replaced once, where several nodes find them old', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => loadDigestKeys(store, sealer, 0)));
    await Promise.all(nodes.map((node) => node.maintain(QUARTER, YEARS, QUARTER)));
    expect(await names()).toEqual(['identity digests', 'identity digests 1']);
    const [a, b, c] = nodes.map((node) => Buffer.from(node.digest(ACME, JANE)).toString('hex'));
    expect([b, c]).toEqual([a, a]);
  });
});
