import { describe, expect, it } from 'vitest';
import { byName } from '../../../src/domain/by-name.ts';
import type { NewLegalHold } from '../../../src/domain/legal-hold/legal-hold.ts';
import type { NewRequest, RequestKey } from '../../../src/domain/request/request.ts';
import type { LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import {
  ACME,
  aTransaction,
  commandFor,
  DAY,
  erasedOutcome,
  GLOBEX,
  heldOutcome,
  MINUTE,
  planned,
  plannedHeld,
  START,
} from './under-test.ts';
import type { UseStore } from './use-store.ts';

const JANE = Buffer.from('jane, by her e-mail address');
const JANE_BY_PHONE = Buffer.from('jane, by her phone number');
const JOE = Buffer.from('joe');
const OLGA = 'operator:olga';
const ROUNDS = 20;

export function casesOfLegalHolds(use: UseStore): void {
  const by = () => ({ actor: OLGA, now: use().clock.now });
  const place = (on: NewLegalHold['on'], changes: Partial<NewLegalHold> = {}) =>
    use().under.legalHolds.place(
      { controllerId: ACME, on, reason: 'a lawsuit', untilTime: null, ...changes },
      by(),
    );
  const onPerson = (...digests: Uint8Array[]) => ({ digests });
  const lift = (holdNo: number) => use().under.legalHolds.lift(holdNo, 'it is over', by());
  const record = (batch: LeasedBatch, digests: readonly Uint8Array[] = []) =>
    use().under.store.recordTransaction(
      batch,
      aTransaction({
        name: 'one',
        tables: new Map(batch.tasks.map(({ taskNo }) => [taskNo, byName()])),
        reservations: batch.tasks.map(({ taskNo }) => ({
          taskNo,
          rows: 1,
          isReleased: false,
          digests,
        })),
      }),
      START + MINUTE,
      START,
    );

  async function aboutJane(targets = ['crm']): Promise<NewRequest> {
    const { scene } = use();
    const request = await scene.create();
    await scene.start(
      request,
      targets.map((target) => planned(target)),
      [JANE],
    );
    return request;
  }

  const expectNothingToDo = (target: string) =>
    expect(use().scene.lease(target)).rejects.toThrow('nothing to do');

  it('of a person stop her requests that wait, and let them go on when they are lifted', async () => {
    const { scene, under } = use();
    const request = await aboutJane();
    const { hold, requests, tooLate } = await place(onPerson(JANE, JANE_BY_PHONE));
    expect([requests, tooLate]).toEqual([[request.subjectRequestId], []]);
    const held = await scene.task(request, 'crm');
    expect(held).toMatchObject({ state: 'held', reason: 'legal_hold' });
    expect(held.detail).toContain(`legal hold ${hold.holdNo}`);
    await expectNothingToDo('crm');
    await expect(under.operator.release(held.taskNo, by())).rejects.toThrow('lift that');
    expect(await lift(hold.holdNo)).toMatchObject({ endedBy: OLGA, endedTime: use().clock.now });
    await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    expect(await scene.statusOf(request)).toBe('completed');
    await expect(lift(hold.holdNo)).rejects.toThrow('has ended');
    await expect(lift(4711)).rejects.toThrow('there is no legal hold 4711');
  });

  it('catch requests that come later, and those in their cancellation window', async () => {
    const { scene } = use();
    const pending = await scene.create();
    const { requests } = await place(onPerson(JANE));
    expect(requests).toEqual([]);
    await scene.start(pending, [planned('crm'), plannedHeld('desk')], [JANE]);
    const later = await aboutJane();
    for (const request of [pending, later]) {
      expect(await scene.task(request, 'crm')).toMatchObject({ reason: 'legal_hold' });
    }
    expect(await scene.task(pending, 'desk')).toMatchObject({ reason: 'legal_hold' });
    await expectNothingToDo('crm');
  });

  it('of a pending request hold its tasks when it starts, and let it be cancelled', async () => {
    const { scene, under } = use();
    const [cancelled, started] = [await scene.create(), await scene.create()];
    for (const request of [cancelled, started]) await place(request);
    await under.operator.cancel(cancelled, 'withdrawn', by());
    expect(await scene.statusOf(cancelled)).toBe('cancelled');
    await scene.start(started, [planned('crm', 'resolve'), planned('shop')], [JOE]);
    expect((await scene.tasksOf(started)).map(({ reason }) => reason)).toEqual([
      'legal_hold',
      'legal_hold',
    ]);
    await expect(place(cancelled)).rejects.toThrow('comes too late');
  });

  it('keep the order of lookups and targets when they end', async () => {
    const { scene } = use();
    const request = await scene.create();
    const { hold } = await place(request);
    await scene.start(request, [planned('crm', 'resolve'), planned('shop')], [JOE]);
    await lift(hold.holdNo);
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'waiting', phase: 'resolve' });
    expect(await scene.task(request, 'shop')).toMatchObject({ state: 'waiting', dueTime: null });
    await scene.work('crm', (taskNo) => ({ taskNo, outcome: 'resolved' }));
    expect(await scene.task(request, 'shop')).toMatchObject({ dueTime: START });
  });

  it('of another controller, or on another person, hold nothing', async () => {
    const { scene, under } = use();
    const request = await aboutJane();
    await place(onPerson(JOE));
    await place(onPerson(Buffer.from('jane, at globex')), { controllerId: GLOBEX });
    await scene.lease('crm');
    expect((await under.legalHolds.list({ controllerId: GLOBEX })).length).toBe(1);
    expect(await under.legalHolds.list({ on: request })).toEqual([]);
  });

  it('let the remaining targets of a partly erased request wait, and tell what came before', async () => {
    const { scene, clock } = use();
    const request = await aboutJane(['crm', 'shop']);
    clock.now += MINUTE;
    await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    const { tooLate, hold } = await place(onPerson(JANE));
    const { subjectRequestId } = request;
    expect(tooLate).toEqual([
      { subjectRequestId, target: 'crm', erasedTime: START + MINUTE, isCommitting: false },
    ]);
    await expectNothingToDo('shop');
    expect(await scene.statusOf(request)).toBe('in_progress');
    await lift(hold.holdNo);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    expect(await scene.statusOf(request)).toBe('completed');
    expect((await place(onPerson(JANE))).tooLate.length).toBe(2);
    await expect(place(request)).rejects.toThrow('is completed');
  });

  it('end by the clock, each with its audit row', async () => {
    const { scene, under, clock } = use();
    const request = await aboutJane();
    const { hold } = await place(onPerson(JANE), { untilTime: START + DAY });
    expect(await under.legalHoldEnds.anyToEnd(START + DAY - 1)).toBe(false);
    expect(await under.legalHoldEnds.endDue(START + DAY - 1)).toBe(0);
    clock.now = START + DAY;
    expect(await under.legalHoldEnds.anyToEnd(clock.now)).toBe(true);
    expect(await under.legalHoldEnds.endDue(clock.now)).toBe(1);
    expect(await under.legalHoldEnds.anyToEnd(clock.now)).toBe(false);
    expect(await under.legalHolds.list({ isInForce: true })).toEqual([]);
    expect(await under.legalHolds.list({ holdNo: hold.holdNo })).toMatchObject([
      { endedBy: 'system', endedTime: clock.now },
    ]);
    await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    const ofRequest = await place(await aboutJane(), { untilTime: START + 2 * DAY });
    await lift(ofRequest.hold.holdNo);
    expect((await under.audit(request)).map(({ action }) => action)).toContain('task.held');
  });

  it('hold while one of two is in force', async () => {
    const { scene } = use();
    const request = await aboutJane();
    const [first, second] = [await place(onPerson(JANE)), await place(request)];
    await lift(first.hold.holdNo);
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'held', reason: 'legal_hold' });
    await lift(second.hold.holdNo);
    await scene.lease('crm');
  });

  it('leave tasks that are held for another reason, and refuse to release them', async () => {
    const { scene, under } = use();
    const request = await aboutJane();
    await scene.work('crm', (taskNo) => heldOutcome(taskNo, 'over_cap', 5));
    const { hold } = await place(onPerson(JANE));
    const { taskNo, reason } = await scene.task(request, 'crm');
    expect(reason).toBe('over_cap');
    await expect(under.operator.release(taskNo, by())).rejects.toThrow(`legal hold ${hold.holdNo}`);
    await lift(hold.holdNo);
    await under.operator.release(taskNo, by());
    await scene.lease('crm');
  });

  it('stop work by hand, which goes on with its own text', async () => {
    const { scene, under } = use();
    const request = await scene.create();
    await scene.start(request, [plannedHeld('desk')], [JANE]);
    const { hold } = await place(onPerson(JANE));
    const { taskNo, reason, detail } = await scene.task(request, 'desk');
    expect(reason).toBe('legal_hold');
    expect(detail).toMatch(/nothing is erased, by hand or otherwise.*somebody has to$/);
    await expect(under.operator.confirm(taskNo, 'done', by())).rejects.toThrow('legal hold');
    await lift(hold.holdNo);
    expect(await scene.task(request, 'desk')).toMatchObject({
      reason: 'manual',
      detail: 'somebody has to',
    });
    await under.operator.confirm(taskNo, 'done', by());
    expect(await scene.statusOf(request)).toBe('completed');
  });

  it('may be overruled by retaining: then nothing is erased for good', async () => {
    const { scene, under } = use();
    const request = await aboutJane();
    await place(onPerson(JANE));
    const { taskNo } = await scene.task(request, 'crm');
    await under.operator.retain(taskNo, { reason: 'lawsuit', legalBasis: 'Art. 17(3)(e)' }, by());
    expect(await scene.statusOf(request)).toBe('completed');
  });

  it('stop a batch that is under way, and give the others back', async () => {
    const { scene, under, clock } = use();
    const request = await aboutJane();
    const other = await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    expect(batch.tasks.length).toBe(2);
    await place(onPerson(JANE));
    expect((await record(batch)).onHold.size).toBe(1);
    expect(
      await under.store.openTransactions(
        batch,
        batch.tasks.map(({ taskNo }) => taskNo),
      ),
    ).toEqual([]);
    clock.now += 10 * MINUTE;
    const again = await scene.lease('crm');
    expect(again.tasks.map((task) => task.subjectRequestId)).toEqual([other.subjectRequestId]);
    expect(await scene.task(request, 'crm')).toMatchObject({ reason: 'legal_hold' });
  });

  it('of a person stop a batch that has looked her up', async () => {
    const { scene, under, clock } = use();
    const request = await aboutJane();
    const batch = await scene.lease('crm');
    const { hold } = await place(onPerson(JANE_BY_PHONE));
    expect((await record(batch, [JOE, JANE_BY_PHONE])).onHold.size).toBe(1);
    expect(await under.legalHolds.list({ on: request })).toMatchObject([{ holdNo: hold.holdNo }]);
    clock.now += 10 * MINUTE;
    await expectNothingToDo('crm');
    expect(await scene.task(request, 'crm')).toMatchObject({ reason: 'legal_hold' });
  });

  it('find a person by digests of earlier keys, and keep those keys', async () => {
    const { scene, under } = use();
    await place(onPerson(JANE));
    const request = await scene.create();
    const command = commandFor(await scene.due(request), [planned('crm')], [Buffer.from('new')]);
    await under.store.startRequests([{ ...command, otherDigests: [JOE, JANE] }], START);
    expect(await scene.task(request, 'crm')).toMatchObject({ reason: 'legal_hold' });
  });

  it('are told that a transaction was about to commit', async () => {
    const { scene } = use();
    const request = await aboutJane();
    const batch = await scene.lease('crm');
    await record(batch);
    const { subjectRequestId } = request;
    expect((await place(onPerson(JANE))).tooLate).toEqual([
      { subjectRequestId, target: 'crm', erasedTime: START, isCommitting: true },
    ]);
  });

  it('are told so of a transaction whose worker is gone, and whose target was removed', async () => {
    const { scene, under, clock } = use();
    const request = await aboutJane();
    await record(await scene.lease('crm'));
    clock.now += DAY;
    const task = await scene.task(request, 'crm');
    await under.forceTasks([{ ...task, state: 'held', leaseUntil: undefined }]);
    const { subjectRequestId } = request;
    expect((await place(onPerson(JANE))).tooLate).toEqual([
      { subjectRequestId, target: 'crm', erasedTime: START, isCommitting: true },
    ]);
  });

  it('are forgotten with their request, and their digests when they end', async () => {
    const { scene, under } = use();
    const request = await aboutJane();
    await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    const { hold } = await place(onPerson(JANE));
    const pending = await scene.create();
    await place(pending);
    await under.operator.cancel(pending, 'withdrawn', by());
    await scene.create();
    await under.forgetting.forget(use().clock.now + DAY, 10);
    expect(await scene.statusOf(request)).toBeUndefined();
    expect(await under.legalHolds.list({})).toMatchObject([{ holdNo: hold.holdNo }]);
    await lift(hold.holdNo);
    await under.forgetting.sweep(use().clock.now - 1);
    expect((await under.legalHolds.list({})).length).toBe(1);
    await under.forgetting.sweep(use().clock.now);
    expect(await under.legalHolds.list({})).toEqual([]);
  });

  describe('in a race', () => {
    it('either stop a transaction or are told of it', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const request = await aboutJane([`crm${round}`]);
        const batch = await use().scene.lease(`crm${round}`);
        const [recorded, placed] = await Promise.allSettled([record(batch), place(request)]);
        if (placed.status === 'rejected') throw placed.reason;
        if (recorded.status === 'rejected') throw recorded.reason;
        const isTold = placed.value.tooLate.length === 1;
        expect(isTold).toBe(recorded.value.onHold.size === 0);
      }
    });

    it('hold a request that is started meanwhile', async () => {
      const { scene, under, clock } = use();
      for (let round = 0; round < ROUNDS; round++) {
        const request = await scene.create();
        const command = commandFor(await scene.due(request), [planned('crm')], [JANE]);
        const on: RequestKey | { digests: Uint8Array[] } = round % 2 ? request : onPerson(JANE);
        const [, { hold }] = await Promise.all([
          under.second.startRequests([command], clock.now),
          place(on),
        ]);
        await expectNothingToDo('crm');
        expect(await scene.task(request, 'crm')).toMatchObject({ reason: 'legal_hold' });
        await lift(hold.holdNo);
        await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
      }
    });

    it('leave no task behind when they are lifted while it is leased', async () => {
      const { scene, under } = use();
      for (let round = 0; round < ROUNDS; round++) {
        const request = await aboutJane();
        const { hold } = await place(request);
        await Promise.all([lift(hold.holdNo), scene.lease('crm').catch(() => undefined)]);
        const batch = await scene.lease('crm').catch(() => undefined);
        const task = await scene.task(request, 'crm');
        expect(task.state).toBe('running');
        await under.forceTasks([{ ...task, state: 'erased', leaseUntil: undefined }]);
        if (batch !== undefined) await under.store.recordOutcomes(batch, [], [], START);
      }
    });
  });
}
