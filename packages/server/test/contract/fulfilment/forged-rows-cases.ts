// Somebody who can write to the database and has no key: another number for a request, tasks that no row of the log asks for, and
// identities that are taken away start and erase nothing.
import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import {
  BY,
  commandFor,
  erasedOutcome,
  heldOutcome,
  MINUTE,
  planned,
  plannedHeld,
  START,
} from './under-test.ts';
import type { UseStore } from './use-store.ts';

const WHY = { reason: 'a claim', legalBasis: 'GDPR 17(3)(e)' };
const NOTHING = 'there is nothing to do at shop';

export function casesOfForgedRows(use: UseStore): void {
  const lease = () => use().scene.lease('shop');

  async function sweep(): Promise<number> {
    const { store } = use().under;
    const due = await store.dueRequests(START, 100);
    const commands = due.map((request) => commandFor(request, [planned('shop')]));
    return store.startRequests(commands, use().clock.now, null, START);
  }

  async function retain(request: RequestKey): Promise<void> {
    const { under, scene } = use();
    await scene.work('shop', (taskNo) => heldOutcome(taskNo, 'over_cap', 9));
    await under.operator.retain((await scene.task(request, 'shop')).taskNo, WHY, BY);
  }

  function identify(request: RequestKey, value = 'jane@work.example') {
    const { under } = use();
    const sealed = under.sealIdentities(request, [new Identity('email', value)]);
    use().clock.now = BY.now;
    return under.operator.identify(request, { sealed, digests: [Buffer.from(value)] }, BY);
  }

  /** As it is, as run 7. */
  const insertTask = () =>
    use().under.tamper(`INSERT INTO @tasks (request_no, target, run, connector, phase, resolves, state,
      due_time, changed_time, owner_id)
      SELECT request_no, 'shop', 7, 'sqlite', 'erase', 0, 'waiting', 0, 0, 'acme' FROM @requests`);

  /** Rows arrive in the first on PostgreSQL, in the second on SQLite. */
  async function inLog(change: (table: string) => Promise<void>): Promise<void> {
    for (const table of ['@new_audit_rows', '@audit_rows']) {
      await change(table).catch(() => undefined);
    }
  }
  const tamperLog = (change: string) =>
    inLog((table) => use().under.tamper(`UPDATE ${table} ${change}`));

  async function renumber(no = 600_000): Promise<void> {
    const { under } = use();
    await under.tamper('CREATE TABLE @kept AS SELECT * FROM @sealed_identities');
    for (const table of ['tasks', 'sealed_identities', 'identity_digests']) {
      await under.tamper(`DELETE FROM @${table}`);
    }
    await under.tamper(`UPDATE @requests SET request_no = ${no}, status = 'pending',
      started_time = NULL, completed_time = NULL, cancelled_time = NULL, plan_id = NULL`);
    await under.tamper(`UPDATE @kept SET request_no = ${no}`);
    await under.tamper('INSERT INTO @sealed_identities SELECT * FROM @kept');
    await under.tamper('DROP TABLE @kept');
  }

  it('a completed request with another number is not started', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop')]);
    await retain(request);
    await renumber();
    expect(await sweep()).toBe(0);
    expect(await under.store.dueRequests(START, 10)).toEqual([]);
  });

  it('a cancelled request with another number is not started', async () => {
    const { under, scene } = use();
    const request = await scene.create({ identities: [] });
    await under.requests.cancel({ ...request, actor: 'client:one' });
    await renumber();
    expect(await sweep()).toBe(0);
  });

  it('tasks of a request with another number are not worked on', async () => {
    const { under, scene } = use();
    await scene.started([planned('shop'), plannedHeld('paper')]);
    await renumber();
    await under.tamper(
      `UPDATE @requests SET status = 'in_progress', started_time = 1, plan_id = 'x'`,
    );
    await insertTask();
    await expect(lease()).rejects.toThrow(NOTHING);
  });

  it('a request that was cancelled after the clock was set back is not started', async () => {
    const { under, scene, clock } = use();
    const request = await scene.create({ identities: [] });
    clock.now -= 5 * MINUTE;
    await under.requests.cancel({ ...request, actor: 'client:one' });
    clock.now += 10 * MINUTE;
    await under.tamper(`UPDATE @requests SET status = 'pending', cancelled_time = NULL`);
    expect(await sweep()).toBe(0);
  });

  it('a request whose identities were replaced by those that were added is not worked on', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop')]);
    await identify(request);
    await under.tamper(`UPDATE @sealed_identities SET (master_key_id, wrapped_key, sealed) = (
      SELECT master_key_id, wrapped_key, sealed FROM @added_identities)`);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect((await scene.task(request, 'shop')).detail).toContain('received with were replaced');
  });

  it('a request of the same id as one that was forgotten starts', async () => {
    const { under, scene, clock } = use();
    const request = await scene.create();
    await under.requests.cancel({ ...request, actor: 'client:one' });
    await under.tamper('DELETE FROM @requests');
    clock.now += 2 * MINUTE;
    await under.requests.create(request);
    expect(await scene.start(request, [planned('shop')])).toBe(1);
    expect((await lease()).tasks).toHaveLength(1);
  });

  it('without the MAC of the row that says it was cancelled, a request is not started', async () => {
    const { under, scene } = use();
    const request = await scene.create({ identities: [] });
    await under.requests.cancel({ ...request, actor: 'client:one' });
    await tamperLog(`SET mac = NULL WHERE action = 'request.cancelled'`);
    await under.tamper(`UPDATE @requests SET status = 'pending', cancelled_time = NULL`);
    expect(await sweep()).toBe(0);
  });

  it('without the MAC of the row that says it was retained, a task is not worked on', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop'), plannedHeld('paper')]);
    await retain(request);
    await tamperLog(`SET mac = NULL WHERE action = 'task.retained'`);
    await under.tamper(`UPDATE @tasks SET state = 'waiting', due_time = 0, evidence = NULL
      WHERE target = 'shop'`);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect((await scene.task(request, 'shop')).detail).toContain('a row of the audit log about');
  });

  it('without the MAC of its row, a pause holds until an operator resumes', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('shop')]);
    await under.pauses.pause('shop', BY);
    await tamperLog(`SET mac = NULL WHERE action = 'erasing.paused'`);
    await under.tamper('DELETE FROM @brakes');
    clock.now = BY.now + MINUTE;
    await expect(lease()).rejects.toThrow(NOTHING);
    await under.pauses.resume('shop', { ...BY, now: clock.now });
    expect((await lease()).tasks).toHaveLength(1);
  });

  it('without its record, a store that went back starts and erases nothing until an operator confirms', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('shop')]);
    await scene.create();
    await under.restores.declare('a backup was restored', BY);
    await under.tamper('DELETE FROM @restores');
    await under.tamper('DELETE FROM @brakes');
    expect(await under.store.dueRequests(START, 10)).toEqual([]);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect((await under.restores.state()).openNo).toBe(1);
    clock.now = BY.now + MINUTE;
    await under.restores.confirm(true, { ...BY, now: clock.now });
    expect((await under.restores.state()).openNo).toBeNull();
    expect(await sweep()).toBe(1);
    expect((await lease()).tasks).not.toEqual([]);
  });

  it('another task at a target that an operator retained is not worked on', async () => {
    const { scene } = use();
    const request = await scene.started([planned('shop'), plannedHeld('paper')]);
    await retain(request);
    await insertTask();
    await expect(lease()).rejects.toThrow(NOTHING);
    expect(await scene.task(request, 'shop')).toMatchObject({
      run: 7,
      state: 'held',
      reason: 'not_in_log',
      detail: expect.stringContaining('no row asks for another run there'),
    });
  });

  it('one run for added identities is worked on, and no second one', async () => {
    const { scene } = use();
    const request = await scene.started([planned('shop'), plannedHeld('paper')]);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    await identify(request);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    expect((await scene.task(request, 'shop')).run).toBe(2);
    await insertTask();
    await expect(lease()).rejects.toThrow(NOTHING);
  });

  it('a copy of the row that asks for another run asks for no further one', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop'), plannedHeld('paper')]);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    await identify(request);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    const columns =
      'time, actor, action, controller_id, subject_request_id, detail, request_no, mac';
    await inLog((table) =>
      under.tamper(`INSERT INTO ${table} (${columns})
        SELECT ${columns} FROM ${table} WHERE action = 'request.identified'`),
    );
    expect(await under.audit(request)).toHaveLength(5);
    await insertTask();
    await expect(lease()).rejects.toThrow(NOTHING);
  });

  it('a run after a retained one that was set to waiting is held for an operator', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop'), plannedHeld('paper')]);
    await retain(request);
    await identify(request);
    const { taskNo, reason } = await scene.task(request, 'shop');
    expect(reason).toBe('retained_before');
    await under.tamper(`UPDATE @tasks SET state = 'waiting', due_time = 0, reason = NULL
      WHERE task_no = ${taskNo}`);
    await expect(lease()).rejects.toThrow(NOTHING);
    expect((await scene.task(request, 'shop')).reason).toBe('retained_before');
    await under.operator.release(taskNo, BY);
    expect((await lease()).tasks).toMatchObject([{ taskNo }]);
  });

  it('nothing is erased if identities that an operator added are missing', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop')]);
    await identify(request);
    await under.tamper('DELETE FROM @added_identities');
    await expect(lease()).rejects.toThrow(NOTHING);
    const { detail } = await scene.task(request, 'shop');
    expect(detail).toContain('identities that were added to its request are missing');
  });

  it('nothing is erased if identities that a lookup found are missing', async () => {
    const { under, scene, clock } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('shop')]);
    const batch = await scene.lease('crm');
    const taskNo = batch.tasks[0]?.taskNo ?? 0;
    const sealed = under.sealIdentities(request, [new Identity('controller_customer_id', '7')]);
    const outcome = { taskNo, outcome: 'resolved', openedSets: 1 } as const;
    await under.store.recordOutcomes(batch, [outcome], [{ taskNo, sealed }], clock.now);
    await under.tamper('DELETE FROM @added_identities');
    await expect(lease()).rejects.toThrow(NOTHING);
  });

  it('nothing starts and nothing is erased if the identities that a request was received with are missing', async () => {
    const { under, scene } = use();
    const request = await scene.create();
    const started = await scene.started([planned('shop')]);
    await under.tamper('DELETE FROM @sealed_identities');
    expect(await sweep()).toBe(0);
    expect(await scene.statusOf(request)).toBe('pending');
    await expect(lease()).rejects.toThrow(NOTHING);
    const { detail } = await scene.task(started, 'shop');
    expect(detail).toContain('its request was changed after it was received');
  });
}
