import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeSigningKey } from '../../../src/auth/signing-keys.ts';
import type { MasterKeyStore } from '../../../src/domain/keys/key-ports.ts';
import { currentMasterKey, keysToLeave } from '../../../src/domain/keys/master-keys.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { SealedBytes } from '../../../src/domain/task/fulfilment-ports.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { loadOwnSecret } from '../../../src/vault/own-secret.ts';
import { createRewrap } from '../../../src/vault/rewrap.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { createKeysVault } from '../../../src/vault/seal-keys.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import { intendedRows } from '../fulfilment/under-test.ts';
import { NOON } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const BY = { actor: 'operator:olga', now: NOON } as const;

export function describeRotation(use: () => RecordsInUse): void {
  const [oldBytes, newBytes] = [randomBytes(32), randomBytes(32)];
  const old = createMasterKeyRing([oldBytes]);
  const both = createMasterKeyRing([newBytes, oldBytes]);
  const newAlone = createMasterKeyRing([newBytes]);
  const person = [new Identity('email', 'jane@example.com')];

  /** So many requests with everything that can be sealed, under this key. */
  async function seal(count: number) {
    const { under, records } = use();
    await use().node.vaultKeys.addMasterKeys(old.current.id, [], NOON);
    const vault = createIdentityVault(old);
    const keysVault = createKeysVault(old);
    const requests = [];
    for (let n = 0; n < count; n++) {
      const request = await records.request();
      const { requestNo: request_no } = request;
      const task_no = await records.task(request_no, { state: 'waiting' });
      const columns = ({ masterKeyId, wrappedKey, sealed }: SealedBytes) => {
        return { master_key_id: masterKeyId, wrapped_key: wrappedKey, sealed };
      };
      const named = () => columns(vault.seal(request, person));
      await under.insert('sealed_identities', { request_no, ...named() });
      await under.insert('added_identities', { request_no, source: 'crm', ...named() });
      const rows = keysVault.seal(request, 'shop', intendedRows());
      const counts = { counts: '{}', retained: '[]', first_time: NOON };
      await under.insert('intents', { task_no, ...counts, ...columns(rows) });
      requests.push(request);
    }
    await use().node.masterKeys.adopt(old.current.id, NOON);
    await loadOwnSecret(use().node.ownSecrets, createSecretSealer(old), 'overwrite hashes');
    return requests;
  }

  async function takeUpNew(): Promise<void> {
    const { masterKeys } = use().node;
    await masterKeys.add(() => newAlone.current.id, { ...BY, now: NOON + 1 });
    await masterKeys.adopt(newAlone.current.id, NOON + 2);
  }

  const keyStates = async () =>
    (await use().other.masterKeys.masterKeys()).map((it) => [
      it.masterKeyId,
      it.adoptedTime,
      it.retiredTime,
      it.destroyedTime,
    ]);

  it('moves all that is sealed, of whichever kind, and then the old key is not needed', async () => {
    const { node, under } = use();
    const requests = await seal(7);
    const sealer = createSecretSealer(old);
    await node.signingKeys.addSigningKey(makeSigningKey(sealer, NOON), 'retire', 'system');
    const { masterKeys } = node;
    const all = { requests: 7, things: 23, capped: false };
    expect(await masterKeys.sealedUnder(old.current.id)).toMatchObject(all);
    expect(await masterKeys.sealedUnder(old.current.id, 1000)).toMatchObject(all);
    const few = await masterKeys.sealedUnder(old.current.id, 2);
    expect(few).toMatchObject({ capped: true });
    expect(few.things).toBeLessThan(all.things);
    await takeUpNew();
    const rewrap = createRewrap(masterKeys, both);
    while (await rewrap.step(NOON + 3));
    expect(await masterKeys.sealedUnder(old.current.id)).toMatchObject({ requests: 0, things: 0 });
    expect(await masterKeys.sealedUnder(newAlone.current.id)).toMatchObject({
      requests: 7,
      things: 23,
    });
    const vault = createIdentityVault(newAlone);
    const rows = await under.rows('sealed_identities');
    for (const request of requests) {
      const row = rows.find((one) => one.request_no === request.requestNo);
      const opened = vault.open(request, {
        masterKeyId: String(row?.master_key_id),
        wrappedKey: row?.wrapped_key as Uint8Array,
        sealed: row?.sealed as Uint8Array,
      });
      expect(opened[0]?.reveal()).toBe('jane@example.com');
    }
    await loadOwnSecret(node.ownSecrets, createSecretSealer(newAlone), 'overwrite hashes');
    expect(await keyStates()).toEqual([
      [old.current.id, NOON, NOON + 3, null],
      [newAlone.current.id, NOON + 2, null, null],
    ]);
    const actions = (await node.auditLog.list({ limit: 3 })).map(({ action }) => action);
    expect(actions).toContain('master_key.rotated');
    expect(actions).toContain('master_key.retired');
  });

  it('continues where it stopped, a page at a time', async () => {
    const { under, node } = use();
    await seal(5);
    await node.vaultKeys.addMasterKeys('new', [], NOON);
    const moved = { masterKeyId: 'new', wrappedKey: Buffer.from('moved') };
    const movePage = (after: number, max: number) =>
      node.masterKeys.rewrap('sealed_identities', after, max, 'new', () => moved);
    const isMoved = async () =>
      (await under.rows('sealed_identities'))
        .filter((row) => row.master_key_id === 'new')
        .map((row) => row.request_no)
        .sort();
    expect(await movePage(0, 2)).toBe(2);
    expect(await isMoved()).toEqual([1, 2]);
    expect(await movePage(3, 1)).toBe(4);
    expect(await movePage(4, 10)).toBeUndefined();
    expect(await isMoved()).toEqual([1, 2, 4, 5]);
    expect(await movePage(0, 10)).toBeUndefined();
    expect(await isMoved()).toEqual([1, 2, 3, 4, 5]);
  });

  it('replaces a secret unless another was faster', async () => {
    const { node } = use();
    await node.ownSecrets.addOwnSecret('a', Buffer.from('one'));
    await node.ownSecrets.addOwnSecret('a', Buffer.from('ignored'));
    const [before] = await node.masterKeys.secrets();
    if (before === undefined) throw new Error('there is no secret');
    expect(before).toMatchObject({ kind: 'own secret', name: 'a' });
    await node.masterKeys.replaceSecret(before, Buffer.from('two'));
    await node.masterKeys.replaceSecret(before, Buffer.from('three'));
    expect(Buffer.from((await node.ownSecrets.ownSecret('a')) ?? []).toString()).toBe('two');
  });

  it('retires and destroys nothing that something is sealed under, and never the current one', async () => {
    const { node } = use();
    await seal(2);
    const { masterKeys } = node;
    const { id } = old.current;
    let removed = 0;
    const remove = () => void removed++;
    expect(await masterKeys.retire(id, NOON)).toBe(false);
    expect(await masterKeys.destroy(id, remove, BY)).toBe(false);
    await takeUpNew();
    expect(await masterKeys.retire(id, NOON)).toBe(false);
    expect(await masterKeys.destroy(id, remove, BY)).toBe(false);
    const { list } = await masterKeys.sealedUnder(id);
    expect(list).toEqual([
      '2 in sealed_identities',
      '2 in added_identities',
      '2 in intents',
      'the own secret "overwrite hashes"',
    ]);
    expect(await masterKeys.retire(newAlone.current.id, NOON)).toBe(false);
    expect(await masterKeys.destroy(newAlone.current.id, remove, BY)).toBe(false);
    expect(removed).toBe(0);
    const rewrap = createRewrap(masterKeys, both);
    while (await rewrap.step(NOON + 3));
    expect(await masterKeys.destroy(id, remove, BY)).toBe(true);
    expect(removed).toBe(1);
    const [row] = await node.auditLog.list({ action: 'master_key.destroyed', limit: 9 });
    expect(JSON.parse(row?.detail ?? '')).toEqual({ master_key: id });
  });

  it('follows the order in which keys were adopted, not a clock that was ahead', async () => {
    const { node } = use();
    await seal(1);
    const { masterKeys } = node;
    await masterKeys.adopt(old.current.id, NOON + 365 * 86_400_000);
    await takeUpNew();
    const keys = await masterKeys.masterKeys();
    expect(currentMasterKey(keys)?.masterKeyId).toBe(newAlone.current.id);
    expect(keysToLeave(keys).map((key) => key.masterKeyId)).toEqual([old.current.id]);
    const rewrap = createRewrap(masterKeys, both);
    while (await rewrap.step(NOON + 3));
    expect(await keyStates()).toMatchObject([
      [old.current.id, expect.any(Number), NOON + 3, null],
      [newAlone.current.id, NOON + 2, null, null],
    ]);
  });

  it('moves secrets first, and leaves what cannot be opened, which blocks nothing', async () => {
    const { node, under } = use();
    const [first, second] = await seal(3);
    const { masterKeys } = node;
    await masterKeys.add(() => 'gone', BY);
    const row = { request_no: second?.requestNo ?? 0 };
    await under.update('sealed_identities', row, { wrapped_key: randomBytes(48) });
    await under.update('added_identities', row, { wrapped_key: Buffer.alloc(1) });
    await under.update('intents', { task_no: 3 }, { wrapped_key: randomBytes(48) });
    await under.update(
      'sealed_identities',
      { request_no: first?.requestNo ?? 0 },
      { master_key_id: 'gone' },
    );
    await masterKeys.destroy('gone', () => undefined, BY);
    const damaged = createSecretSealer(old).seal(Buffer.alloc(32), 'own secret: another name');
    await node.ownSecrets.addOwnSecret('damaged', damaged);
    await takeUpNew();
    const told: string[][] = [];
    const order: string[] = [];
    const watched: MasterKeyStore = {
      ...masterKeys,
      rewrap(place, ...rest) {
        order.push(place);
        return masterKeys.rewrap(place, ...rest);
      },
      replaceSecret(before, sealed) {
        order.push(before.name);
        return masterKeys.replaceSecret(before, sealed);
      },
    };
    const rewrap = createRewrap(watched, both, (...what) => told.push(what));
    await rewrap.step(NOON + 3);
    expect(order).toEqual(['overwrite hashes', 'sealed_identities']);
    while (await rewrap.step(NOON + 3));
    expect((await masterKeys.sealedUnder(old.current.id)).things).toBe(0);
    expect(told).toEqual([
      ['the own secret "damaged"', old.current.id],
      ['a key in sealed_identities', 'gone'],
      ['a key in sealed_identities', old.current.id],
      ['a key in added_identities', old.current.id],
      ['a key in intents', old.current.id],
    ]);
    expect(await keyStates()).toContainEqual([old.current.id, NOON, NOON + 3, null]);
  });

  it('records nothing if a key could not be made or taken out of its file', async () => {
    const { masterKeys, auditLog } = use().node;
    const fails = () => {
      throw new Error('the pool of clients is read-only (EROFS)');
    };
    await expect(masterKeys.add(fails, BY)).rejects.toThrow('the pool of clients is read-only');
    expect(await masterKeys.masterKeys()).toEqual([]);
    await masterKeys.add(() => 'one', BY);
    const gone = masterKeys.destroy('one', fails, BY);
    await expect(gone).rejects.toThrow('the pool of clients is read-only');
    expect((await keyStates())[0]?.at(-1)).toBeNull();
    expect((await auditLog.list({ actor: BY.actor, limit: 9 })).map((it) => it.action)).toEqual([
      'master_key.rotated',
    ]);
  });

  it('lets a key be used again, and postpones what failed', async () => {
    const { masterKeys } = use().node;
    await masterKeys.add(() => 'one', BY);
    expect(await masterKeys.retire('one', NOON)).toBe(true);
    expect(await masterKeys.retire('one', NOON + 1)).toBe(true);
    expect((await keyStates())[0]?.[2]).toBe(NOON);
    await masterKeys.unretire('one');
    await masterKeys.putOffDestroying('one', NOON + 2);
    const [key] = await masterKeys.masterKeys();
    expect(key).toMatchObject({ retiredTime: null, undestroyedTime: NOON + 2 });
    await masterKeys.destroy('one', () => undefined, BY);
    await masterKeys.adopt('one', NOON + 3);
    expect(await keyStates()).toEqual([['one', NOON + 3, null, null]]);
  });

  it('is made one at a time, each key after the other', async () => {
    const { node, other } = use();
    let under = 0;
    const makes = Array.from({ length: 6 }, (_, index) => () => {
      under++;
      expect(under).toBe(1);
      under--;
      return `key ${index}`;
    });
    await Promise.all(
      makes.map((make, index) => (index % 2 === 0 ? node : other).masterKeys.add(make, BY)),
    );
    const made = (await node.masterKeys.masterKeys()).map(({ masterKeyId }) => masterKeyId);
    expect(made.sort()).toEqual(makes.map((_, index) => `key ${index}`));
  });

  it('knows by the log when a key was retired, whatever its row says', async () => {
    const { masterKeys } = use().node;
    for (const id of ['one', 'two']) await masterKeys.add(() => id, BY);
    await masterKeys.adopt('one', NOON);
    await masterKeys.adopt('two', NOON);
    await masterKeys.retire('one', NOON + 5);
    const retired = (masterKeyId: string, retiredTime: number | null) =>
      masterKeys.retiredByLog({ masterKeyId, retiredTime });
    expect(await retired('one', NOON + 5)).toBe(NOON + 5);
    expect(await retired('one', 1)).toBe(NOON + 5);
    expect(await retired('two', 1)).toBe(null);
    expect(await retired('two', null)).toBe(null);
  });
}
