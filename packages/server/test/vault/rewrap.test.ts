// Moving to another master key in a real store, cut off at any place.
import { randomBytes, randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ControllerId } from '../../src/domain/controller-id.ts';
import { Identity } from '../../src/domain/identity.ts';
import type { RequestKey } from '../../src/domain/request.ts';
import { openDatabase } from '../../src/store/sqlite/open-database.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { createWriteBatch } from '../../src/store/sqlite/write-batch.ts';
import { createDestroyChore, createRewrapChore } from '../../src/vault/key-chores.ts';
import { createMasterKeyRing, type MasterKeyRing } from '../../src/vault/master-key.ts';
import { loadOwnSecret } from '../../src/vault/own-secret.ts';
import { createRewrap } from '../../src/vault/rewrap.ts';
import { createIdentityVault } from '../../src/vault/seal-identities.ts';
import { createSecretSealer } from '../../src/vault/seal-secret.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

const ACME = 'acme' as ControllerId;
const MANY = 1200;
const [oldBytes, newBytes] = [randomBytes(32), randomBytes(32)];
const old = createMasterKeyRing([oldBytes]);
const both = createMasterKeyRing([newBytes, oldBytes]);
const newAlone = createMasterKeyRing([newBytes]);

let folder: TemporaryFolder;
let store: SqliteStore;
let requests: RequestKey[];

beforeEach(() => {
  folder = makeTemporaryFolder();
  store = openSqliteStore(folder.path, () => 0);
  const none = { name: null, ssoOrganisation: null, createdTime: 0 };
  store.tenantWriter.addController({ controllerId: ACME, ...none }, 'system');
  store.vaultKeys.addMasterKey(old.current.id, 0);
  store.masterKeys.adopt(old.current.id, 1);
  requests = seal(old, MANY);
  loadOwnSecret(store.ownSecrets, createSecretSealer(old), 'identity digests');
});
afterEach(() => {
  store.close();
  folder.remove();
});

function seal(ring: MasterKeyRing, count: number): RequestKey[] {
  const database = openDatabase(store.databasePath, 'write');
  const write = createWriteBatch(database, createIdentityVault(ring).seal, () => 0);
  const made = Array.from({ length: count }, () => ({
    ...{ controllerId: ACME, subjectRequestId: randomUUID() as SubjectRequestId },
    ...({ regulation: 'gdpr', submittedTime: '', actor: 'client:one' } as const),
    identities: [new Identity('email', 'jane@example.com')],
  }));
  write(made.map((request) => ({ op: 'create', request })));
  database.close();
  return made;
}

/** How many requests these keys open. */
function opened(ring: MasterKeyRing): number {
  const { open } = createIdentityVault(ring);
  return requests.filter((request) => {
    const [sealed] = store.tasks.sealedIdentities(request);
    try {
      return sealed !== undefined && open(request, sealed)[0]?.reveal() === 'jane@example.com';
    } catch {
      return false;
    }
  }).length;
}

function addNew(): void {
  store.masterKeys.add(() => newAlone.current.id, { actor: 'operator:olga', now: 10 });
}

function takeUpNew(): void {
  addNew();
  store.masterKeys.adopt(newAlone.current.id, 20);
}

const stateOf = ({ current }: MasterKeyRing) =>
  store.masterKeys.masterKeys().find(({ masterKeyId }) => masterKeyId === current.id);

describe('moving to a new master key', () => {
  it('moves everything, after which the old one opens nothing and is not needed', () => {
    takeUpNew();
    const rewrap = createRewrap(store.masterKeys, both);
    while (rewrap.step(30));
    expect(opened(newAlone)).toBe(MANY);
    expect(opened(old)).toBe(0);
    expect(() =>
      loadOwnSecret(store.ownSecrets, createSecretSealer(newAlone), 'identity digests'),
    ).not.toThrow();
    expect(stateOf(old)).toMatchObject({ retiredTime: 30 });
    expect(store.masterKeys.sealedUnder(old.current.id)).toEqual({ requests: 0, things: 0 });
  });

  it('does not begin before the server has taken the new key up', () => {
    addNew();
    expect(createRewrap(store.masterKeys, both).step(30)).toBe(false);
    expect(opened(old)).toBe(MANY);
    expect(stateOf(old)).toMatchObject({ retiredTime: null });
  });

  it('leaves everything readable wherever it is cut off, and another one finishes it', () => {
    takeUpNew();
    let steps = 0;
    for (let more = true; more; steps++) {
      more = createRewrap(store.masterKeys, both).step(30);
      expect(opened(both)).toBe(MANY);
      if (steps === 5) break;
    }
    expect(opened(newAlone)).toBeGreaterThan(0);
    const rewrap = createRewrap(store.masterKeys, both);
    while (rewrap.step(30));
    expect(opened(newAlone)).toBe(MANY);
  });

  it('finds what was sealed under the old key meanwhile, before it retires it', () => {
    takeUpNew();
    const rewrap = createRewrap(store.masterKeys, both);
    for (let n = 0; n < 4; n++) rewrap.step(30);
    requests = [...requests, ...seal(old, 3)];
    while (rewrap.step(30));
    expect(opened(newAlone)).toBe(MANY + 3);
    expect(stateOf(old)?.retiredTime).not.toBeNull();
  });

  it('is due only until it is done', async () => {
    const { masterKeys } = store;
    const chore = createRewrapChore(
      masterKeys.masterKeys,
      createRewrap(masterKeys, both),
      () => {},
    );
    expect(chore.isDue(30)).toBe(false);
    takeUpNew();
    expect(chore.isDue(30)).toBe(true);
    await chore.run(30);
    expect(chore.isDue(31)).toBe(false);
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

  beforeEach(() => {
    removed.length = 0;
    failed.length = 0;
    takeUpNew();
    const rewrap = createRewrap(store.masterKeys, both);
    while (rewrap.step(30));
  });

  it('is destroyed when the last backup that needs it is gone, and not before', async () => {
    expect(chore().isDue(DAY + 29)).toBe(false);
    expect(chore().isDue(DAY + 30)).toBe(true);
    await chore().run(DAY + 30);
    expect(removed).toEqual([old.current.id]);
    expect(stateOf(old)).toMatchObject({ destroyedTime: DAY + 30 });
    expect(chore().isDue(2 * DAY)).toBe(false);
    expect(store.vaultKeys.masterKeyIds()).toEqual([newAlone.current.id]);
  });

  it('is kept where something has turned up under it, which is moved first', async () => {
    requests = [...requests, ...seal(old, 1)];
    await chore().run(2 * DAY);
    expect(removed).toEqual([]);
    expect(stateOf(old)).toMatchObject({ retiredTime: null, destroyedTime: null });
    const rewrap = createRewrap(store.masterKeys, both);
    while (rewrap.step(2 * DAY));
    expect(opened(newAlone)).toBe(MANY + 1);
    expect(stateOf(old)).toMatchObject({ retiredTime: 2 * DAY });
  });

  it('that cannot be removed stays, is said, and is tried again after a day', async () => {
    const remove = () => {
      throw new Error('read-only');
    };
    const failing = createDestroyChore(store.masterKeys, DAY, remove, (id) => void failed.push(id));
    await failing.run(2 * DAY);
    expect(failed).toEqual([old.current.id]);
    expect(stateOf(old)).toMatchObject({ destroyedTime: null });
    expect(failing.isDue(2 * DAY + 1)).toBe(false);
    expect(failing.isDue(3 * DAY)).toBe(true);
  });
});
