// Compares the store with a data folder that cannot be written for a while, and with one backup after another.
import { expect, it } from 'vitest';
import type { Happened, RecordedHead, Restore } from '../../src/domain/store/restore.ts';
import type { RestoreState, RestoreStore } from '../../src/domain/store/restore-ports.ts';
import type { LostCancellations } from '../../src/restore/lost-cancellations.ts';
import { createStoreWatch, type StoreWatchParts } from '../../src/restore/watch-store.ts';

const HEAD: RecordedHead = { headNo: 1, hash: 'ab'.repeat(32), time: 1 };
const STATE: RestoreState = {
  openNo: null,
  lastNo: null,
  headNo: 1,
  isPausedBySystem: false,
  headHash: Buffer.from(HEAD.hash, 'hex'),
};

function world() {
  const restores: Restore[] = [];
  const folder = { isFull: true, heads: [] as RecordedHead[], unreadable: [] as string[] };
  const lost: Happened[] = [];
  const listed: Happened[] = [];
  const time = { now: 1 };
  const store = {
    state: async () => ({
      ...STATE,
      openNo: restores.find((it) => it.confirmedTime === null)?.restoreNo ?? null,
      lastNo: restores.length || null,
    }),
    head: async () => HEAD,
    restores: async () => [...restores],
    async declare(reason: string) {
      restores.push({
        restoreNo: restores.length + 1,
        detectedTime: time.now,
        detectedBy: 'system',
        reason,
        lastHeadNo: 1,
        reviewedTime: null,
        confirmedTime: null,
      });
      return true;
    },
    async addFindings(some: readonly Happened[]) {
      listed.push(...some);
      return some.length;
    },
  } as Partial<RestoreStore> as RestoreStore;
  const change = (to: () => void) => () => {
    if (folder.isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    to();
  };
  const parts: StoreWatchParts = {
    restores: store,
    signedHead: async () => HEAD,
    headFile: {
      read: () => ({ heads: folder.heads, unreadable: folder.unreadable }),
      write: change(() => folder.heads.push(HEAD)),
      writeBeside: () => undefined,
      settle: change(() => {
        folder.heads = [HEAD];
        folder.unreadable = [];
      }),
    },
    node: 'here',
    clock: () => time.now,
    warn: () => undefined,
  };
  const cancellations: LostCancellations = {
    async each(_which, _restores, take) {
      await take(lost);
      return [];
    },
    settle: async () => undefined,
  };
  const watch = createStoreWatch({ ...parts, cancellations });
  /** The one in the worker's thread, which leaves the files of cancellations to the other. */
  const besides = createStoreWatch(parts);
  const confirm = () => {
    const open = restores.pop();
    if (open !== undefined) restores.push({ ...open, confirmedTime: 2 });
  };
  return { watch, besides, folder, restores, lost, listed, time, confirm };
}

it('writes down a head as soon as the folder can be written, without waiting for the next head', async () => {
  const { watch, folder } = world();
  await watch.look();
  folder.isFull = false;
  await watch.look();
  expect(folder.heads).toEqual([HEAD]);
});

it('does not open a confirmed restore again if the damaged file cannot be renamed yet', async () => {
  const { watch, folder, restores, confirm } = world();
  folder.unreadable = ['audit-head.json'];
  expect(await watch.look()).toBe(false);
  confirm();
  await expect(watch.look()).rejects.toThrow('full');
  await expect(watch.lookClosely()).rejects.toThrow('full');
  folder.isFull = false;
  expect(await watch.look()).toBe(true);
  expect(restores).toHaveLength(1);
});

it('does not open another restore in the moment before the head of the confirmed one is replaced, where an earlier one had its number', async () => {
  const { watch, besides, folder, restores, confirm } = world();
  folder.isFull = false;
  folder.heads = [{ headNo: 2, hash: 'cd'.repeat(32), time: 1, lastRestoreNo: 1 }];
  expect(await watch.look()).toBe(false);
  expect(await besides.look()).toBe(false);
  confirm();
  expect(await besides.look()).toBe(false);
  expect(restores).toHaveLength(1);
  expect(await watch.look()).toBe(true);
  expect(await besides.look()).toBe(true);
  expect(restores).toHaveLength(1);
});

it('opens another restore where a cancellation that it was still adding to the list was not cancelled again', async () => {
  const { watch, folder, restores, lost, confirm } = world();
  folder.isFull = false;
  folder.heads = [{ headNo: 2, hash: 'cd'.repeat(32), time: 1 }];
  expect(await watch.look()).toBe(false);
  confirm();
  lost.push({
    what: 'cancelled',
    time: 1,
    controllerId: 'acme',
    subjectRequestId: 'late',
  } as Happened);
  expect(await watch.look()).toBe(false);
  expect(restores).toMatchObject([{ confirmedTime: 2 }, { confirmedTime: null }]);
});

it('does not take a restore that was confirmed before for the open one of the same number, where another backup is restored', async () => {
  const { watch, folder, restores, time } = world();
  const lostHead = { headNo: 9, hash: 'cd'.repeat(32), time: 50 };
  folder.isFull = false;
  folder.heads = [lostHead];
  time.now = 100;
  expect(await watch.look()).toBe(false);
  const [open] = restores;
  // A newer backup, from after a restore that was gone through long ago.
  if (open !== undefined) restores[0] = { ...open, detectedTime: 10, confirmedTime: 11 };
  expect(await watch.look()).toBe(false);
  expect(folder.heads).toEqual([lostHead]);
  expect(restores).toMatchObject([{ confirmedTime: 11 }, { confirmedTime: null }]);
});

it('lists its cancellations again for a restore of the same number that was noticed by another node', async () => {
  const { watch, folder, restores, lost, listed, time } = world();
  lost.push({ what: 'cancelled', time: 1, subjectRequestId: 'lost' } as Happened);
  folder.heads = [{ headNo: 2, hash: 'cd'.repeat(32), time: 1 }];
  expect(await watch.look()).toBe(false);
  expect(await watch.look()).toBe(false);
  expect(listed).toHaveLength(1);
  const [open] = restores;
  if (open !== undefined) restores[0] = { ...open, detectedTime: time.now + 1 };
  expect(await watch.look()).toBe(false);
  expect(listed).toHaveLength(2);
});

it('lists cancellations that were answered during a review, where the store went back to the beginning of the review', async () => {
  const { watch, folder, lost, listed } = world();
  folder.heads = [{ headNo: 2, hash: 'cd'.repeat(32), time: 1 }];
  expect(await watch.look()).toBe(false);
  lost.push({ what: 'cancelled', time: 2, subjectRequestId: 'meanwhile' } as Happened);
  expect(await watch.lookClosely()).toBe(false);
  expect(listed).toMatchObject([{ subjectRequestId: 'meanwhile' }]);
});

it('counts a cancellation once that is in two files', async () => {
  const { watch, restores, lost } = world();
  const one = { what: 'cancelled', time: 1, controllerId: 'acme', subjectRequestId: 'one' };
  const other = { ...one, subjectRequestId: 'other' };
  lost.push(...([one, other, { ...one, time: 2 }] as Happened[]));
  await watch.lookClosely();
  expect(restores).toMatchObject([
    { reason: 'here has answered cancellations that the store lacks: 2' },
  ]);
});
