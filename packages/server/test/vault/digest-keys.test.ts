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
import { makeStoreFolder } from '../helpers/stores/store-folder.ts';
import type { TemporaryFolder } from '../helpers/temporary-folder.ts';

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

beforeEach(async () => {
  folder = await makeStoreFolder();
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
  (await store.forgetting.seen(ACME, [digests], BY)).flat().map((it) => it.subjectRequestId);

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

  it('are kept while a legal hold was placed with them, and find the person for it', async () => {
    const keys = await loadDigestKeys(store, sealer, 0);
    const on = { digests: keys.digestAll(ACME, JANE) };
    const by = { actor: 'operator:olga', now: 0 };
    const { hold } = await store.legalHolds.place(
      { controllerId: ACME, on, reason: 'a claim', untilTime: null },
      by,
    );
    await keys.maintain(QUARTER, YEARS, QUARTER);
    await keys.maintain(10 * YEARS, YEARS, QUARTER + YEARS);
    expect(await names()).toContain('identity digests 1');
    expect(keys.digestAcross(ACME, JANE)).toContainEqual(on.digests[0]);
    await store.legalHolds.lift(hold.holdNo, 'settled', by);
    await keys.maintain(10 * YEARS, YEARS, QUARTER + YEARS);
    expect(await names()).toEqual(['identity digests']);
  });

  it('keys from before there were periods still find digests, and are destroyed like others', async () => {
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

  it('are replaced once, if several nodes find them old', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => loadDigestKeys(store, sealer, 0)));
    await Promise.all(nodes.map((node) => node.maintain(QUARTER, YEARS, QUARTER)));
    expect(await names()).toEqual(['identity digests', 'identity digests 1']);
    const [a, b, c] = nodes.map((node) => Buffer.from(node.digest(ACME, JANE)).toString('hex'));
    expect([b, c]).toEqual([a, a]);
  });

  it('a key of an ended period that cannot be decrypted is left out, reported, and stops nothing', async () => {
    const keys = await loadDigestKeys(store, sealer, 0);
    await keys.maintain(QUARTER, YEARS, QUARTER);
    const damage = database.prepare('UPDATE own_secrets SET sealed = ? WHERE name = ?');
    damage.run(Buffer.alloc(60, 7), 'identity digests 1');
    const insert = database.prepare('INSERT INTO own_secrets VALUES (?, ?)');
    insert.run('identity digests 77', Buffer.from('00112233', 'hex'));
    const told: string[] = [];
    const after = await loadDigestKeys(store, sealer, QUARTER, ({ name }) => {
      told.push(name);
    });
    expect(told.sort()).toEqual(['identity digests 1', 'identity digests 77']);
    addRequest(1, after.digest(ACME, JANE));
    expect(await seen(after.digestAll(ACME, JANE))).toEqual(['request 1']);
    await after.maintain(QUARTER, YEARS, 2 * QUARTER);
  });

  it('a current key that cannot be decrypted is named, with the backup that has it', async () => {
    const keys = await loadDigestKeys(store, sealer, 0);
    addRequest(1, keys.digest(ACME, JANE));
    database.exec(`UPDATE own_secrets SET sealed = x'0011' WHERE name = 'identity digests'`);
    await expect(loadDigestKeys(store, sealer, 0)).rejects.toThrow(
      /"identity digests".*cannot be opened.*made after 1970-01-01T00:00:00.000Z/,
    );
  });

  it('a replaced key that is put back is refused', async () => {
    const keys = await loadDigestKeys(store, sealer, 0);
    const old = await store.ownSecrets.ownSecret('identity digests');
    await keys.maintain(QUARTER, YEARS, QUARTER);
    const putBack = database.prepare('UPDATE own_secrets SET sealed = ? WHERE name = ?');
    putBack.run(old ?? null, 'identity digests');
    await expect(loadDigestKeys(store, sealer, QUARTER)).rejects.toThrow(
      new RegExp(`"identity digests".*older.*made after ${new Date(QUARTER).toISOString()}`),
    );
  });

  it('is not created again if people were erased, even if their digests are gone', async () => {
    const keys = await loadDigestKeys(store, sealer, 0);
    addRequest(1, keys.digest(ACME, JANE));
    database.exec('UPDATE requests SET completed_time = 5');
    for (const table of ['own_secrets', 'identity_digests']) database.exec(`DELETE FROM ${table}`);
    expect(await store.ownSecrets.missingSecrets()).toEqual([
      { name: 'identity digests', since: 5 },
    ]);
    await expect(loadDigestKeys(store, sealer, 0)).rejects.toThrow('"identity digests"');
    expect(await names()).toEqual([]);
  });
});
