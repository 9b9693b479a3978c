// What a node learns from the audit log about the cancellations that other nodes have answered.
import type { RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import { expect, it } from 'vitest';
import type { Happened } from '../../src/domain/store/restore.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import {
  createFollowCancellations,
  type SealingHead,
} from '../../src/restore/follow-cancellations.ts';

const REQUEST = {
  controllerId: 'acme' as ControllerId,
  subjectRequestId: 'a7551968-d5d6-44b2-9831-815ac9017798' as SubjectRequestId,
};
const HEAD = { headNo: 1, hash: 'ab'.repeat(32), time: 1, lastAuditNo: 1 };
const NOW = 1_000_000;

const cancelledAt = (time: number): Happened => ({
  what: 'cancelled',
  ...REQUEST,
  time,
  requestTime: time - 1,
});

interface Log {
  heads?: SealingHead[];
  fromHeadNo?: number;
  hasOthers?: boolean;
}

function world(
  file: Happened[],
  logged: Happened[],
  { heads = [HEAD], fromHeadNo = 0, hasOthers = true }: Log = {},
) {
  const read: unknown[] = [];
  const looked: unknown[] = [];
  const disk = { isFull: false, hasRead: false, owed: [] as Happened[] };
  /** What could not be written is written first, as soon as there is room. */
  async function write(): Promise<void> {
    if (disk.owed.length === 0) return;
    if (disk.isFull) throw new Error('the disk is full');
    file.push(...disk.owed.splice(0));
  }
  const follow = createFollowCancellations({
    restores: {
      state: async () => ({
        openNo: null,
        lastNo: null,
        headNo: heads.length,
        headHash: Buffer.from(HEAD.hash, 'hex'),
        isPausedBySystem: false,
      }),
      async cancelledBetween(after, upTo) {
        read.push([after, upTo]);
        return logged;
      },
      declare: async () => true,
      addFindings: async () => 0,
    },
    signedHead: async (headNo) => heads.find((head) => head.headNo === headNo),
    cancellations: {
      ready: write,
      async add(one) {
        disk.owed.push(one);
        await write();
      },
    },
    async cancelledHere(requests) {
      if (requests.length > 0) looked.push(requests);
      return [...file];
    },
    readRequest: async () => ({ status: 'cancelled' as RequestStatus, receivedTime: NOW }),
    clock: () => NOW,
    keepMs: () => NOW,
    node: 'here',
    fromHeadNo,
    hasOthers,
    hasRead: () => {
      disk.hasRead = true;
    },
    warn: () => undefined,
  });
  return { follow, looked, disk, read };
}

it('a node writes down that a request was cancelled which has the id of one that it knows and that was forgotten', async () => {
  const file = [cancelledAt(10)];
  await world(file, [cancelledAt(500)]).follow.look();
  expect(file).toMatchObject([{ time: 10 }, { time: 500 }]);
});

it('what a node has in its files is not written down again', async () => {
  const file = [cancelledAt(500)];
  await world(file, [cancelledAt(500)]).follow.look();
  expect(file).toHaveLength(1);
});

it('the files of a node are not read for what it has answered since it started', async () => {
  const file = [cancelledAt(500)];
  const { follow, looked } = world(file, file.slice());
  follow.answered(cancelledAt(500));
  await follow.look();
  expect(file).toHaveLength(1);
  expect(looked).toEqual([]);
});

it('what a node could not write down because its disk was full is written once', async () => {
  const file: Happened[] = [];
  const { follow, disk } = world(file, [cancelledAt(500)]);
  disk.isFull = true;
  for (let at = 0; at < 3; at++) await expect(follow.look()).rejects.toThrow('full');
  expect(disk.hasRead).toBe(false);
  disk.isFull = false;
  await follow.look();
  expect(disk.hasRead).toBe(true);
  expect(file).toHaveLength(1);
});

it('a node that was killed reads the last minute before the newest head that it had recorded again', async () => {
  const heads = [1_000, 70_000, 100_000].map((time, at) => ({
    ...HEAD,
    headNo: at + 1,
    time,
    lastAuditNo: 10 * (at + 1),
  }));
  const { follow, read } = world([], [], { heads, fromHeadNo: 3 });
  await follow.look();
  expect(read).toEqual([[10, 30]]);
});

it('a node without others reads the log until it comes to a cancellation of its own, and then no more', async () => {
  const heads = [HEAD];
  const file: Happened[] = [];
  const logged = [cancelledAt(500)];
  const { follow, read } = world(file, logged, { heads, hasOthers: false });
  await follow.look();
  expect(file).toMatchObject([{ time: 500 }]);

  const own = cancelledAt(600);
  for (const lastAuditNo of [2, 3, 4]) {
    follow.answered(own);
    logged.push(own);
    heads.push({ ...HEAD, headNo: heads.length + 1, lastAuditNo });
    await follow.look();
  }
  expect(read).toEqual([
    [0, 1],
    [1, 2],
  ]);
});
