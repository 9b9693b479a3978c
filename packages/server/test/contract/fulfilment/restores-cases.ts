import { expect, it } from 'vitest';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { Finding } from '../../../src/domain/store/restore.ts';
import { EVERYTHING } from '../../../src/domain/task/pause-ports.ts';
import { aTransaction, BY, commandFor, erasedOutcome, HOUR, planned, START } from './under-test.ts';
import type { UseStore } from './use-store.ts';

const SYSTEM = { actor: 'system', now: BY.now };
const cancelled = ({ controllerId, subjectRequestId }: RequestKey): Finding => ({
  what: 'cancelled',
  time: START,
  controllerId,
  subjectRequestId,
  source: 'node-1',
});

export function casesOfRestores(use: UseStore): void {
  async function review(): Promise<void> {
    const { restores } = use().under;
    await restores.reviewed({ added: 0, requests: await restores.findings() }, BY);
  }

  it.each([
    ['taken off the list', 'DELETE FROM @restore_findings'],
    ['made to look as if it was submitted again', `UPDATE @requests SET received_time = ${9e12}`],
  ])('are not confirmed where a request was %s since the review', async (_, change) => {
    const { under, scene } = use();
    const [one, other] = [await scene.create(), await scene.create()];
    await under.restores.declare('a test', SYSTEM);
    await under.restores.addFindings([cancelled(one)]);
    await review();
    await under.restores.addFindings([cancelled(other)]);
    await review();
    const { subjectRequestId: id } = other;
    await under.tamper(`${change} WHERE subject_request_id = '${id}'`);
    await under.tamper(`UPDATE @restores SET reviewed_time = ${BY.now}`);
    expect(await under.restores.confirm(false, BY)).toBeUndefined();
    expect(await under.restores.state()).toMatchObject({ openNo: 1 });
  });

  it.each([
    ['is not confirmed', false, undefined],
    ['is cancelled again', true, 2],
  ])(
    'with a request that is added and reviewed by another operator meanwhile, %s',
    async (_, anyway, answer) => {
      const { under, scene } = use();
      const [one, late] = [await scene.create(), await scene.create()];
      await under.restores.declare('a test', SYSTEM);
      await under.restores.addFindings([cancelled(one)]);
      await review();
      const first = under.slowRestores(async () => {
        await under.restores.addFindings([cancelled(late)]);
        await review();
      });
      expect(await first.confirm(anyway, BY)).toBe(answer);
      if (!anyway) expect(await under.restores.confirm(false, BY)).toBe(1);
      expect(await scene.statusOf(late)).toBe('cancelled');
      expect(await under.restores.findings()).toEqual([]);
    },
  );

  it('cancels nothing again that a worker has begun meanwhile', async () => {
    const { under, scene } = use();
    const [begun, untouched] = [
      await scene.started([planned('crm')]),
      await scene.started([planned('crm')]),
    ];
    const { taskNo } = await scene.task(begun, 'crm');
    await under.restores.declare('a test', SYSTEM);
    await under.restores.addFindings([cancelled(begun), cancelled(untouched)]);
    const operator = under.slowRestores(() =>
      under.tamper(`UPDATE @tasks SET attempts = 1 WHERE task_no = ${taskNo}`),
    );
    expect(await operator.confirm(true, BY)).toBe(1);
    expect(await scene.statusOf(begun)).toBe('in_progress');
    expect(await scene.statusOf(untouched)).toBe('cancelled');
  });

  it('takes nothing more onto its list when it is confirmed', async () => {
    const { under, scene } = use();
    const late = cancelled(await scene.create());
    await under.restores.declare('a test', SYSTEM);
    expect(await under.restores.confirm(true, BY)).toBe(0);
    expect(await under.restores.addFindings([late])).toBeUndefined();
    expect(await under.restores.findings()).toEqual([]);
  });

  it('start, lease and erase nothing while one is open, and continue when it is confirmed', async () => {
    const { under, scene, clock } = use();
    const pending = await scene.create();
    const due = await scene.due(pending);
    await scene.started([planned('crm'), planned('shop')]);
    const batch = await scene.lease('crm');
    expect(await under.restores.declare('a test', SYSTEM)).toBe(true);
    expect(await under.restores.declare('another', SYSTEM)).toBe(false);
    // The pause alone may be lifted.
    await under.pauses.resume(EVERYTHING, BY);

    expect(await under.store.dueRequests(clock.now, 10)).toEqual([]);
    const command = commandFor(due, [planned('crm')]);
    expect(await under.store.startRequests([command], clock.now)).toBe(0);
    expect(await under.second.targetsWithWork(clock.now)).toEqual([]);
    await expect(scene.lease('shop')).rejects.toThrow('nothing to do');
    expect(
      (
        await under.second.recordTransaction(
          batch,
          aTransaction({ reservations: [], maxRowsPerDay: null }),
          0,
          clock.now,
        )
      ).paused,
    ).toBe(true);

    expect(await under.restores.confirm(true, BY)).toBe(0);
    expect(await under.store.startRequests([command], clock.now)).toBe(1);
    expect((await scene.lease('shop')).tasks).toHaveLength(1);
    expect(
      (
        await under.second.recordTransaction(
          batch,
          aTransaction({ reservations: [], maxRowsPerDay: null }),
          0,
          clock.now,
        )
      ).paused,
    ).toBe(false);
  });

  it('are confirmed for good though they were noticed while the clock was ahead', async () => {
    const { under } = use();
    await under.restores.declare('a test', { ...SYSTEM, now: SYSTEM.now + 24 * HOUR });
    expect(await under.restores.confirm(true, BY)).toBe(0);
    expect((await under.restores.state()).openNo).toBeNull();
    // By the log, too, and the other way round: noticed again before the time of the confirmation.
    await under.restores.declare('again', SYSTEM);
    await under.tamper('DELETE FROM @restores');
    expect((await under.restores.state()).openNo).not.toBeNull();
  });

  it('pause everything, and leave an operator’s pause', async () => {
    const { under } = use();
    await under.restores.declare('a test', SYSTEM);
    expect(await under.pauses.list()).toMatchObject([{ scope: EVERYTHING, pausedBy: 'system' }]);
    expect(await under.restores.state()).toMatchObject({ openNo: 1, isPausedBySystem: true });
    await under.restores.confirm(true, BY);
    expect(await under.pauses.list()).toEqual([]);
    await under.pauses.pause(EVERYTHING, BY);
    await under.restores.declare('a test', SYSTEM);
    await under.restores.confirm(true, BY);
    expect(await under.pauses.list()).toMatchObject([{ pausedBy: BY.actor }]);
    expect(await under.restores.state()).toMatchObject({ openNo: null, lastNo: 2 });
  });

  it('are open again if somebody else has confirmed them', async () => {
    const { under, scene, clock } = use();
    const due = await scene.due(await scene.create());
    await under.restores.declare('a test', SYSTEM);
    await under.confirmBySql(clock.now, 'operator:root');
    expect(await under.restores.state()).toMatchObject({ openNo: 1, isPausedBySystem: true });
    expect(await under.restores.restores()).toMatchObject([{ confirmedTime: null }]);
    expect(await under.store.startRequests([commandFor(due, [planned('crm')])], clock.now)).toBe(0);
    expect(await under.restores.confirm(true, BY)).toBe(0);
    expect(await under.restores.state()).toMatchObject({ openNo: null, lastNo: 1 });
    expect(await under.restores.restores()).toMatchObject([{ confirmedTime: BY.now }]);
  });

  it('are confirmed after a review of the whole list', async () => {
    const { under, scene } = use();
    const [one, other] = [await scene.create(), await scene.create()];
    await under.restores.declare('a test', SYSTEM);
    await under.restores.addFindings([cancelled(one)]);
    expect(await under.restores.confirm(false, BY)).toBeUndefined();
    await review();
    await under.restores.addFindings([cancelled(one)]);
    expect((await under.restores.restores())[0]?.reviewedTime).toBe(BY.now);
    await under.restores.addFindings([cancelled(one), cancelled(other)]);
    expect(await under.restores.confirm(false, BY)).toBeUndefined();
    await review();
    expect(await under.restores.confirm(false, BY)).toBe(2);
    expect(await under.restores.findings()).toEqual([]);
    expect(await under.audit(one)).toEqual([
      { action: 'request.cancelled', actor: BY.actor, detail: '{"restored":true}' },
    ]);
    expect(await under.restores.confirm(true, BY)).toBeUndefined();
  });

  it('are confirmed after a review though the clock was set back since they were noticed', async () => {
    const { under, scene } = use();
    await under.restores.declare('a test', { ...SYSTEM, now: SYSTEM.now + 24 * HOUR });
    await under.restores.addFindings([cancelled(await scene.create())]);
    await review();
    expect(await under.restores.confirm(false, BY)).toBe(1);
  });

  it('cancels a request again though the clock was set back before the restore was noticed', async () => {
    const { under, scene } = use();
    const request = await scene.create();
    const early = { ...SYSTEM, now: START - 24 * HOUR };
    await under.restores.declare('a test', early);
    await under.restores.addFindings([{ ...cancelled(request), time: START + HOUR }]);
    expect(await under.restores.findings()).toMatchObject([{ isToCancel: true }]);
    expect(await under.restores.confirm(true, early)).toBe(1);
  });

  it('cancels and shreds requests that are pending or have just started, and leaves requests that were worked on', async () => {
    const { under, scene, clock } = use();
    const pending = await scene.create();
    const worked = await scene.started([planned('crm'), planned('shop')]);
    await scene.work('crm', erasedOutcome);
    const started = await scene.started([planned('crm')]);
    const unknown = {
      ...cancelled(pending),
      subjectRequestId: 'a7551968-d5d6-44b2-9831-815ac9017798',
    };
    await under.restores.declare('a test', SYSTEM);
    await under.restores.addFindings([
      ...[pending, worked, started].map(cancelled),
      unknown as Finding,
    ]);
    const listed = await under.restores.findings();
    expect(new Map(listed.map((it) => [it.subjectRequestId, [it.status, it.isToCancel]]))).toEqual(
      new Map<string, unknown>([
        [pending.subjectRequestId, ['pending', true]],
        [worked.subjectRequestId, ['in_progress', false]],
        [started.subjectRequestId, ['in_progress', true]],
        [unknown.subjectRequestId, [null, false]],
      ]),
    );
    expect(await under.restores.confirm(true, BY)).toBe(2);
    expect(await Promise.all([pending, worked, started].map(scene.statusOf))).toEqual([
      'cancelled',
      'in_progress',
      'cancelled',
    ]);
    expect(await under.tasks.sealedIdentities(pending)).toEqual([]);
    expect(await under.tasks.sealedIdentities(started)).toEqual([]);
    expect(await scene.tasksOf(started)).toEqual([]);
    clock.now += HOUR;
    await expect(scene.lease('crm')).rejects.toThrow('nothing to do');
  });

  it('leave a request that was submitted again after it was noticed', async () => {
    const { under, scene, clock } = use();
    await under.restores.declare('a test', { actor: 'system', now: clock.now });
    clock.now += HOUR;
    const again = await scene.create();
    await under.restores.addFindings([cancelled(again)]);
    expect(await under.restores.confirm(true, BY)).toBe(0);
    expect(await scene.statusOf(again)).toBe('pending');
  });
}
