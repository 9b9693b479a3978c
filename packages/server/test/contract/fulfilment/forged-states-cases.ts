// Somebody who can write to the database and has no key: states that the audit log says otherwise of start and erase nothing.

import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { EVERYTHING } from '../../../src/domain/task/pause-ports.ts';
import {
  anIntent,
  aTransaction,
  BY,
  commandFor,
  DAY,
  erasedOutcome,
  heldOutcome,
  intendedRows,
  MINUTE,
  planned,
  plannedHeld,
  START,
} from './under-test.ts';
import type { UseStore } from './use-store.ts';

const WHY = { reason: 'a claim', legalBasis: 'GDPR 17(3)(e)' };

export function casesOfForgedStates(use: UseStore): void {
  /** What is due at that time starts, as the sweep does it. */
  async function sweep(receivedBefore: number): Promise<number> {
    const { store } = use().under;
    const due = await store.dueRequests(receivedBefore, 100);
    const commands = due.map((request) => commandFor(request, [planned('shop')]));
    return store.startRequests(commands, use().clock.now, null, receivedBefore);
  }
  const lease = () => use().scene.lease('shop');
  const NOTHING = 'there is nothing to do at shop';

  it('a cancelled request that was set back is not started, and others are', async () => {
    const { under, scene } = use();
    const request = await scene.create({ identities: [] });
    await under.requests.cancel({ ...request, actor: 'client:one' });
    await under.tamper(`UPDATE @requests SET status = 'pending', cancelled_time = NULL`);
    await scene.create();
    expect(await sweep(START)).toBe(1);
    expect(await scene.statusOf(request)).toBe('pending');
    // It does not stand in the way either.
    expect(await under.store.dueRequests(START, 10)).toEqual([]);
  });

  it.each([
    ['received_time', `received_time = ${START - DAY}`],
    ['regulation', `regulation = 'ccpa'`],
    ['controller', `controller_id = 'globex'`],
    ['MAC', 'created_mac = NULL'],
  ])('a request with another %s is not started', async (_, change) => {
    const { under, scene } = use();
    await scene.create();
    await under.tamper(`UPDATE @requests SET ${change}`);
    expect(await sweep(START)).toBe(0);
  });

  it('an early start counts only if an operator asked for it', async () => {
    const { under, scene } = use();
    const [forged, asked] = [await scene.create(), await scene.create()];
    await under.tamper(`UPDATE @requests SET start_asked_by = 'operator:root'`);
    await under.operator.askStart(asked, BY);
    expect(await sweep(START - MINUTE)).toBe(1);
    expect(await scene.statusOf(asked)).toBe('in_progress');
    expect(await scene.statusOf(forged)).toBe('pending');
  });

  it('a request in progress that was set back to pending is not started again', async () => {
    const { under, scene } = use();
    await scene.started([planned('shop')]);
    await under.tamper(`UPDATE @requests SET status = 'pending', plan_id = NULL`);
    expect(await sweep(START)).toBe(0);
  });

  it('a request in progress whose plan was removed does not run again where it was erased', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop'), planned('crm')]);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    await under.tamper('UPDATE @requests SET plan_id = NULL');
    expect(await sweep(START)).toBe(0);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect(await scene.tasksOf(request)).toHaveLength(2);
  });

  it('a request that was planned when an operator had named the person is not planned once more', async () => {
    const { under, scene } = use();
    const request = await scene.started([plannedHeld('manual')], { identities: [] });
    const sealed = under.sealIdentities(request, [new Identity('email', 'jane@example.com')]);
    await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32)] }, BY);
    expect(await sweep(START)).toBe(1);
    await under.tamper('UPDATE @requests SET plan_id = NULL');
    expect(await sweep(START)).toBe(0);
  });

  it('a number of identities that somebody else has set to 0 does not take the plan away', async () => {
    const { under, scene } = use();
    const request = await scene.started([plannedHeld('shop')]);
    await under.tamper('UPDATE @requests SET identity_count = 0');
    const sealed = under.sealIdentities(request, [new Identity('email', 'jane@example.com')]);
    await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32)] }, BY);
    expect(await scene.tasksOf(request)).toMatchObject([{ target: 'shop', state: 'held' }]);
    expect(await sweep(START)).toBe(0);
  });

  it('a pending request that was set to be in progress, with a task, is not erased', async () => {
    const { under, scene } = use();
    const request = await scene.create();
    await under.tamper(`UPDATE @requests SET status = 'in_progress', plan_id = 'x'`);
    await under.tamper(`INSERT INTO @tasks (request_no, target, run, connector, phase, resolves, state,
      due_time, changed_time, owner_id)
      SELECT request_no, 'shop', 1, 'sqlite', 'erase', 0, 'waiting', 0, 0, 'acme' FROM @requests`);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect(await scene.task(request, 'shop')).toMatchObject({
      state: 'held',
      reason: 'not_in_log',
      detail: expect.stringContaining('its request was never started'),
    });
    expect(await under.audit(request)).toMatchObject([{ action: 'task.held' }]);
  });

  it('a task at a target that was not planned is not worked on', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm')]);
    await under.tamper(`UPDATE @tasks SET target = 'shop'`);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect((await scene.task(request, 'shop')).state).toBe('held');
  });

  it('a task that an operator retained is not erased after it was set back', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop')]);
    await scene.work('shop', (taskNo) => heldOutcome(taskNo, 'over_cap', 9));
    await under.operator.retain((await scene.task(request, 'shop')).taskNo, WHY, BY);
    expect(await scene.statusOf(request)).toBe('completed');
    await under.tamper(`UPDATE @tasks SET state = 'waiting', due_time = 0, evidence = NULL`);
    await under.tamper(`UPDATE @requests SET status = 'in_progress', completed_time = NULL`);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect((await scene.task(request, 'shop')).detail).toContain('it has ended');
  });

  const FORGED = JSON.stringify({
    action: 'erased',
    connector: 'sqlite',
    tables: { people: { action: 'delete', rows: 1 } },
    verified: 'requeried',
    attempts: 1,
    started_time: 'then',
    finished_time: 'then',
  });

  it.each([
    ['set to be done', `UPDATE @tasks SET state = 'erased', evidence = '${FORGED}'`],
    ['deleted', 'DELETE FROM @tasks'],
  ])(
    'a request with a task that was %s is not completed by the end of another',
    async (_, change) => {
      const { under, scene } = use();
      const request = await scene.started([plannedHeld('shop'), planned('crm')]);
      await under.tamper(`${change} WHERE target = 'shop'`);
      await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
      expect(await scene.statusOf(request)).toBe('in_progress');
      const actions = (await under.audit(request)).map(({ action }) => action);
      expect(actions).not.toContain('request.completed');
    },
  );

  it('a task that was set to be done is held, and completes its request when it is', async () => {
    const { under, scene } = use();
    const request = await scene.started([plannedHeld('shop'), planned('crm')]);
    await under.tamper(
      `UPDATE @tasks SET state = 'erased', evidence = '${FORGED}' WHERE target = 'shop'`,
    );
    await scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    const held = await scene.task(request, 'shop');
    expect(held).toMatchObject({ state: 'held', reason: 'not_in_log', evidence: null });
    await under.operator.retain(held.taskNo, WHY, BY);
    expect(await scene.statusOf(request)).toBe('completed');
  });

  it('another task of a completed request is not worked on', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop')]);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    await under.tamper(`UPDATE @tasks SET state = 'waiting', due_time = 0, task_no = 999`);
    await under.tamper(`UPDATE @requests SET status = 'in_progress', completed_time = NULL`);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect((await scene.task(request, 'shop')).detail).toContain('its request was completed');
  });

  it('a task that contradicts the log does not affect the others of its batch', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop'), plannedHeld('crm')]);
    const other = await scene.started([planned('shop')]);
    const { taskNo } = await scene.task(request, 'crm');
    await under.tamper(`UPDATE @tasks SET state = 'waiting', due_time = 0, connector = 'sqlite',
      target = 'shop', run = 7 WHERE task_no = ${taskNo}`);
    await under.tamper(`UPDATE @requests SET regulation = 'ccpa'
      WHERE subject_request_id = '${request.subjectRequestId}'`);
    const batch = await lease();
    expect(batch.tasks.map(({ subjectRequestId }) => subjectRequestId)).toEqual([
      other.subjectRequestId,
    ]);
  });

  it.each([
    ['what it has reported', `UPDATE @tasks SET reported = '{bad' WHERE task_no = `],
    ['what it has reported, as a list', `UPDATE @tasks SET reported = '[1]' WHERE task_no = `],
    ['what it was about to erase', `UPDATE @intents SET counts = '{"a":"b"}' WHERE task_no = `],
  ])('a task whose %s cannot be read is held, and the others continue', async (_, change) => {
    const { under, scene, clock } = use();
    const [broken, other] = [
      await scene.started([planned('shop')]),
      await scene.started([planned('shop')]),
    ];
    const { taskNo } = await scene.task(broken, 'shop');
    const batch = await lease();
    const keys = under.sealKeys(broken, 'shop', intendedRows());
    await under.store.recordTransaction(
      batch,
      aTransaction({ intents: [anIntent(taskNo, keys)] }),
      0,
      clock.now,
    );
    await under.tamper(`${change}${taskNo}`);
    clock.now += DAY;
    expect((await lease()).tasks.map(({ subjectRequestId }) => subjectRequestId)).toEqual([
      other.subjectRequestId,
    ]);
    expect(await scene.task(broken, 'shop')).toMatchObject({
      state: 'held',
      reason: 'not_in_log',
      detail: expect.stringContaining('cannot be read'),
    });
  });

  it('a row about a pause that cannot be read stops nothing', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('shop')]);
    await under.pauses.pause('shop', BY);
    await under.pauses.resume('shop', { ...BY, now: clock.now });
    const change = "SET detail = 'oops' WHERE action = 'erasing.resumed'";
    await under.tamper(`UPDATE @audit_rows ${change}`);
    // Where rows get their numbers later.
    await under.tamper(`UPDATE @new_audit_rows ${change}`).catch(() => undefined);
    clock.now += MINUTE;
    await under.pauses.resume('shop', { ...BY, now: clock.now });
    expect((await lease()).tasks).toHaveLength(1);
  });

  it.each(['shop', EVERYTHING])(
    'a pause of %s that was removed holds until an operator resumes',
    async (scope) => {
      const { under, scene, clock } = use();
      await scene.started([planned('shop')]);
      const batch = await lease();
      await under.pauses.pause(scope, BY);
      await under.tamper('DELETE FROM @brakes');
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
      clock.now += DAY;
      await expect(lease()).rejects.toThrow(NOTHING);
      expect(await under.second.targetsWithWork(clock.now)).toEqual([]);
      expect(await under.pauses.resume(scope, { ...BY, now: clock.now })).toBe(true);
      expect((await lease()).attempt).toBe(2);
      expect(await under.pauses.resume(scope, { ...BY, now: clock.now })).toBe(false);
    },
  );
}
