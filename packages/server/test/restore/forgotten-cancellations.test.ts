// A cancelled request that the store has forgotten for its age is no sign of a restore; one that is pending again always is.
import type { SubjectRequestId } from '@unwrite/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepCancellationsMs, rememberRequestsMs } from '../../src/app/restored-store.ts';
import { createStartGuard } from '../../src/app/start-guard.ts';
import type { RequestState } from '../../src/domain/request/request.ts';
import type { Happened } from '../../src/domain/store/restore.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { createCancellationLog } from '../../src/restore/cancellation-log.ts';
import { createLostCancellations } from '../../src/restore/lost-cancellations.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const DAY = 86_400_000;
const KEEP = 10 * DAY;
const REQUEST = {
  controllerId: 'acme' as ControllerId,
  subjectRequestId: 'a7551968-d5d6-44b2-9831-815ac9017798' as SubjectRequestId,
};

/** Cancelled at noon by this node, and nothing since. */
async function cancelledAtNoon() {
  const folder = makeTemporaryFolder();
  const clock = { now: NOON };
  const log = createCancellationLog(
    folder.path,
    () => clock.now,
    () => KEEP,
  );
  await log.add({ what: 'cancelled', time: NOON, ...REQUEST });
  await log.close();
  onTestFinished(() => folder.remove());
  return { dataDir: folder.path, clock };
}

type State = Pick<RequestState, 'status' | 'receivedTime'> | undefined;
const pending = (receivedTime: number): State => ({ status: 'pending', receivedTime });

describe('comparing with the store', () => {
  async function lostAfter(days: number, state: State): Promise<number> {
    const { dataDir, clock } = await cancelledAtNoon();
    clock.now += days * DAY;
    const found: Happened[] = [];
    await createLostCancellations({
      dataDir,
      periods: () => ({ keepMs: KEEP, rememberMs: KEEP, cancellationWindowMs: DAY }),
      clock: () => clock.now,
      read: async () => state,
    }).each('all', [], async (some) => void found.push(...some));
    return found.length;
  }

  it('misses a request as long as the store must remember it', async () => {
    expect(await lostAfter(9, undefined)).toBe(1);
    expect(await lostAfter(11, undefined)).toBe(0);
    expect(await lostAfter(1000, undefined)).toBe(0);
  });

  it('treats a later request with the same id as another one, once the first may be forgotten', async () => {
    expect(await lostAfter(9, pending(NOON + 8 * DAY))).toBe(1);
    expect(await lostAfter(12, pending(NOON + 11 * DAY))).toBe(0);
  });

  it('notices that a cancelled request is pending again, at any later time and with any clock', async () => {
    for (const days of [0, 9, 11, 1000]) expect(await lostAfter(days, pending(NOON - 1))).toBe(1);
  });
});

describe('a backup that is older than the time for which requests are kept', () => {
  const retention = { retentionBackups: 35 * 86_400, retentionRecords: 2 * 86_400 };

  it('is compared with all cancellations since it was made', async () => {
    const { dataDir, clock } = await cancelledAtNoon();
    clock.now += 20 * DAY;
    // Another one is cancelled, and old files are removed.
    const log = createCancellationLog(
      dataDir,
      () => clock.now,
      () => keepCancellationsMs(retention),
    );
    const other = '0a1a3b52-6f0f-4a39-9b7c-2f4f6f3ad001' as SubjectRequestId;
    await log.add({ what: 'cancelled', time: clock.now, ...REQUEST, subjectRequestId: other });
    await log.close();
    const found: Happened[] = [];
    await createLostCancellations({
      dataDir,
      clock: () => clock.now,
      periods: () => ({
        cancellationWindowMs: DAY,
        keepMs: keepCancellationsMs(retention),
        rememberMs: rememberRequestsMs(retention),
      }),
      read: async ({ subjectRequestId }) =>
        subjectRequestId === other ? { status: 'cancelled', receivedTime: 0 } : pending(NOON - 1),
    }).each('all', [], async (some) => void found.push(...some));
    expect(found).toMatchObject([REQUEST]);
  });
});

describe('a request that is about to start', () => {
  async function startsAfter(days: number, receivedTime: number): Promise<boolean> {
    const { dataDir, clock } = await cancelledAtNoon();
    clock.now += days * DAY;
    const folder = makeTemporaryFolder();
    const store = withTestMacs(openSqliteStore(folder.path, () => clock.now));
    onTestFinished(async () => {
      await store.close();
      folder.remove();
    });
    const guard = createStartGuard({
      restores: store.restores,
      dataDir,
      waitMs: 0,
      lookMs: 1000,
      signedHead: async () => undefined,
      rememberRequestsMs: KEEP,
      clock: () => clock.now,
      warn: () => undefined,
    });
    const due = await guard.unlessCancelled(async () => [{ ...REQUEST, receivedTime }]);
    expect((await store.restores.state()).openNo === null).toBe(due.length === 1);
    return due.length === 1;
  }

  it('does not start if this node has cancelled it', async () => {
    expect(await startsAfter(0, NOON - 1)).toBe(false);
    expect(await startsAfter(1000, NOON - 1)).toBe(false);
    expect(await startsAfter(9, NOON + 8 * DAY)).toBe(false);
  });

  it('starts if another request with the same id was cancelled and forgotten before', async () => {
    expect(await startsAfter(12, NOON + 11 * DAY)).toBe(true);
  });
});
