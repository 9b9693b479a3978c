// Moving to another master key in a real store, cut off at any place.
import { randomBytes, randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../src/domain/request/identity.ts';
import type { RequestKey } from '../../src/domain/request/request.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { openDatabase } from '../../src/store/sqlite/open-database.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createWriteBatch } from '../../src/store/sqlite/write-batch.ts';
import { createDestroyChore, createRewrapChore } from '../../src/vault/key-chores.ts';
import { createMasterKeyRing, type MasterKeyRing } from '../../src/vault/master-key.ts';
import { loadOwnSecret } from '../../src/vault/own-secret.ts';
import { createRewrap, type TellUnreadable } from '../../src/vault/rewrap.ts';
import { createIdentityVault } from '../../src/vault/seal-identities.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';
import { TEST_AUTHENTICATOR, withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeStoreFolder } from '../helpers/stores/store-folder.ts';
import type { TemporaryFolder } from '../helpers/temporary-folder.ts';

const ACME = 'acme' as ControllerId;
const MANY = 120;
const AT_ONCE = 50;
const [oldBytes, newBytes] = [randomBytes(32), randomBytes(32)];
const old = createMasterKeyRing([oldBytes]);
const both = createMasterKeyRing([newBytes, oldBytes]);
const newAlone = createMasterKeyRing([newBytes]);

let folder: TemporaryFolder;
let store: SqliteStore;
let requests: RequestKey[];

beforeEach(async () => {
  folder = await makeStoreFolder();
  store = withTestMacs(openSqliteStore(folder.path, () => 0));
  const none = { name: null, ssoOrganisation: null, createdTime: 0 };
  await store.tenantWriter.addController({ controllerId: ACME, ...none }, 'system');
  await store.vaultKeys.addMasterKeys(old.current.id, [], 0);
  await store.masterKeys.adopt(old.current.id, 1);
  requests = seal(old, MANY);
  await loadOwnSecret(store.ownSecrets, createSecretSealer(old), 'overwrite hashes');
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

function seal(ring: MasterKeyRing, count: number): RequestKey[] {
  const database = openDatabase(store.databasePath, 'write');
  const write = createWriteBatch(
    database,
    createIdentityVault(ring).seal,
    () => 0,
    TEST_AUTHENTICATOR,
  );
  const made = Array.from({ length: count }, () => ({
    controllerId: ACME,
    subjectRequestId: randomUUID() as SubjectRequestId,
    ...({ regulation: 'gdpr', submittedTime: '', actor: 'client:one' } as const),
    identities: [new Identity('email', 'jane@example.com')],
  }));
  write(made.map((request) => ({ op: 'create', request })));
  database.close();
  return made;
}

/** How many requests these keys open. */
async function opened(ring: MasterKeyRing): Promise<number> {
  const { open } = createIdentityVault(ring);
  let count = 0;
  for (const request of requests) {
    const [sealed] = await store.tasks.sealedIdentities(request);
    try {
      const person = sealed && open(request, sealed)[0]?.reveal();
      if (person === 'jane@example.com') count++;
    } catch {
      // Not with these keys.
    }
  }
  return count;
}

const rewrapHere = (unreadable: TellUnreadable = () => undefined) =>
  createRewrap(store.masterKeys, both, unreadable, AT_ONCE);

async function addNew(): Promise<void> {
  await store.masterKeys.add(() => newAlone.current.id, { actor: 'operator:olga', now: 10 });
}

async function takeUpNew(): Promise<void> {
  await addNew();
  await store.masterKeys.adopt(newAlone.current.id, 20);
}

const stateOf = async ({ current }: MasterKeyRing) =>
  (await store.masterKeys.masterKeys()).find(({ masterKeyId }) => masterKeyId === current.id);

describe('moving to a new master key', () => {
  it('moves everything, after which the old key decrypts nothing and is not needed', async () => {
    await takeUpNew();
    const rewrap = rewrapHere();
    while (await rewrap.step(30));
    expect(await opened(newAlone)).toBe(MANY);
    expect(await opened(old)).toBe(0);
    const sealer = createSecretSealer(newAlone);
    const secret = await loadOwnSecret(store.ownSecrets, sealer, 'overwrite hashes');
    expect(secret.symmetricKeySize).toBe(32);
    expect(await stateOf(old)).toMatchObject({ retiredTime: 30 });
    expect(await store.masterKeys.sealedUnder(old.current.id)).toMatchObject({
      requests: 0,
      things: 0,
    });
  });

  it.each([
    ['of another length', "x'00'"],
    ['empty', "x''"],
    ['of the same length', 'randomblob(48)'],
  ])(
    'sets aside a damaged key that is %s, reports it, and moves all others',
    async (_, damaged) => {
      const database = openDatabase(store.databasePath, 'write');
      const kept = database
        .prepare('SELECT wrapped_key FROM sealed_identities WHERE request_no = 2')
        .get();
      database.exec(`UPDATE sealed_identities SET wrapped_key = ${damaged}
        WHERE request_no IN (2, 70)`);
      await takeUpNew();
      const told: string[] = [];
      const rewrap = rewrapHere((what, id) => void told.push(`${what} ${id}`));
      while (await rewrap.step(30));
      expect(told).toEqual(Array(2).fill(`a key in sealed_identities ${old.current.id}`));
      expect(await opened(newAlone)).toBe(MANY - 2);
      expect(await stateOf(old)).toMatchObject({ retiredTime: 30 });
      // Its bytes are there, behind the id of their key: put back from a backup, it opens as long as that is there.
      const [set] = await store.tasks.sealedIdentities(requests[1] as RequestKey);
      const text = Buffer.from(set?.wrappedKey ?? []).toString('latin1');
      expect(text.startsWith(`unreadable under ${old.current.id}:`)).toBe(true);
      const mark = Buffer.from(`unreadable under ${old.current.id}:`);
      const sound = Buffer.concat([mark, kept?.wrapped_key as Uint8Array]);
      database
        .prepare('UPDATE sealed_identities SET wrapped_key = ? WHERE request_no = 2')
        .run(sound);
      database.close();
      expect(await opened(both)).toBe(MANY - 1);
    },
  );

  it('does not begin before the server has taken the new key up', async () => {
    await addNew();
    expect(await rewrapHere().step(30)).toBe(false);
    expect(await opened(old)).toBe(MANY);
    expect(await stateOf(old)).toMatchObject({ retiredTime: null });
  });

  it('leaves everything readable wherever it is cut off, and another one finishes it', async () => {
    await takeUpNew();
    let steps = 0;
    for (let more = true; more; steps++) {
      more = await rewrapHere().step(30);
      expect(await opened(both)).toBe(MANY);
      if (steps === 5) break;
    }
    expect(await opened(newAlone)).toBeGreaterThan(0);
    const rewrap = rewrapHere();
    while (await rewrap.step(30));
    expect(await opened(newAlone)).toBe(MANY);
  });

  it('finds what was sealed under the old key in the meantime, before it retires the key', async () => {
    await takeUpNew();
    const rewrap = rewrapHere();
    for (let n = 0; n < 4; n++) await rewrap.step(30);
    requests = [...requests, ...seal(old, 3)];
    while (await rewrap.step(30));
    expect(await opened(newAlone)).toBe(MANY + 3);
    expect((await stateOf(old))?.retiredTime).not.toBeNull();
  });

  it('is due only until it is done', async () => {
    const { masterKeys } = store;
    const chore = createRewrapChore(masterKeys.masterKeys, rewrapHere(), () => {});
    expect(await chore.isDue(30)).toBe(false);
    await takeUpNew();
    expect(await chore.isDue(30)).toBe(true);
    await chore.run(30);
    expect(await chore.isDue(31)).toBe(false);
  });
});

describe('a retired master key', () => {
  const DAY = 86_400_000;
  const removed: string[] = [];
  const failed: string[] = [];
  const chore = () =>
    createDestroyChore(
      store.masterKeys,
      DAY,
      (id) => void removed.push(id),
      (id) => void failed.push(id),
    );

  beforeEach(async () => {
    removed.length = 0;
    failed.length = 0;
    await takeUpNew();
    const rewrap = rewrapHere();
    while (await rewrap.step(30));
  });

  it('is destroyed when the last backup that needs it is gone, and not before', async () => {
    expect(await chore().isDue(DAY + 29)).toBe(false);
    expect(await chore().isDue(DAY + 30)).toBe(true);
    await chore().run(DAY + 30);
    expect(removed).toEqual([old.current.id]);
    expect(await stateOf(old)).toMatchObject({ destroyedTime: DAY + 30 });
    expect(await chore().isDue(2 * DAY)).toBe(false);
    expect(await store.vaultKeys.masterKeyIds()).toEqual([newAlone.current.id]);
  });

  it('is kept where somebody else has set the time of its retirement', async () => {
    const database = openDatabase(store.databasePath, 'write');
    database.exec('UPDATE master_keys SET retired_time = 1 WHERE retired_time IS NOT NULL');
    database.close();
    await chore().run(DAY + 1);
    expect(removed).toEqual([]);
    await chore().run(3 * DAY);
    expect(removed).toEqual([old.current.id]);
  });

  it('is kept while the clock cannot be trusted', async () => {
    const remove = (id: string) => void removed.push(id);
    const guarded = createDestroyChore(store.masterKeys, DAY, remove, remove, async () => false);
    await guarded.run(DAY + 30);
    expect(removed).toEqual([]);
  });

  it('is kept if something has turned up under it, which is moved first', async () => {
    requests = [...requests, ...seal(old, 1)];
    await chore().run(2 * DAY);
    expect(removed).toEqual([]);
    expect(await stateOf(old)).toMatchObject({ retiredTime: null, destroyedTime: null });
    const rewrap = rewrapHere();
    while (await rewrap.step(2 * DAY));
    expect(await opened(newAlone)).toBe(MANY + 1);
    expect(await stateOf(old)).toMatchObject({ retiredTime: 2 * DAY });
  });

  it('a key that cannot be removed stays, is reported, and is tried again after a day', async () => {
    const remove = () => {
      throw new Error('read-only');
    };
    const failing = createDestroyChore(store.masterKeys, DAY, remove, (id) => void failed.push(id));
    await failing.run(2 * DAY);
    expect(failed).toEqual([old.current.id]);
    expect(await stateOf(old)).toMatchObject({ destroyedTime: null });
    expect(await failing.isDue(2 * DAY + 1)).toBe(false);
    expect(await failing.isDue(3 * DAY)).toBe(true);
  });
});
