import { expect, it } from 'vitest';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { Evidence, PlannedTask } from '../../../src/domain/task/task.ts';
import {
  anEvidence,
  anIntent,
  aTransaction,
  BY,
  erasedOutcome,
  GLOBEX,
  HOUR,
  heldOutcome,
  intendedRows,
  MINUTE,
  planned,
} from './under-test.ts';
import type { UseStore } from './use-store.ts';

const asked = (taskNo: number) => ({ taskNo, digests: [] });

export function casesOfOutcomes(use: UseStore): void {
  it('forgets the number of rows of a hold with a later one that has none', async () => {
    const { under, scene, clock } = use();
    const request = await scene.started([planned('crm')]);
    await scene.work('crm', (taskNo) => heldOutcome(taskNo, 'over_cap', 5));
    await under.operator.release((await scene.task(request, 'crm')).taskNo, BY);
    clock.now = BY.now;
    await scene.work('crm', (taskNo) => heldOutcome(taskNo, 'unproven_identity', null));
    expect((await scene.task(request, 'crm')).previewedRows).toBeNull();
  });

  it('lets a task wait for a target that works on it, of which nothing asks for attention', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm')]);
    const reported = { requests: { action: 'forward', rows: 1 } } as const;
    const dueTime = clock.now + HOUR;
    await scene.work('crm', (taskNo) => {
      const detail = 'they have it: pending';
      return { taskNo, outcome: 'pending', detail, dueTime, reported, intent: 'done' };
    });
    const waiting = { state: 'waiting', reason: null, detail: 'they have it: pending', reported };
    expect(await scene.task(request, 'crm')).toMatchObject(waiting);
    await expect(scene.lease('crm')).rejects.toThrow('nothing to do');
    const { tasks } = under;
    const query = { now: clock.now, cancellationWindowMs: 0, patientTargets: [], limit: 10 };
    expect(await tasks.attention(query)).toEqual([]);
    clock.now = dueTime;
    await scene.lease('crm');
    expect(await tasks.attention({ ...query, now: dueTime })).toEqual([]);
  });

  it('gives each task of a batch an outcome of its own', async () => {
    const { scene, under, clock } = use();
    const requests: NewRequest[] = [];
    for (let n = 0; n < 4; n++) requests.push(await scene.started([planned('crm')]));
    const [erased, held, failed, waiting] = requests as [
      NewRequest,
      NewRequest,
      NewRequest,
      NewRequest,
    ];
    const batch = await scene.lease('crm');
    const no = async (request: NewRequest) => (await scene.task(request, 'crm')).taskNo;
    const detail = 'in our words';
    await under.store.recordOutcomes(
      batch,
      [
        erasedOutcome(await no(erased)),
        heldOutcome(await no(held), 'over_cap', 500),
        { taskNo: await no(failed), outcome: 'failed', code: 'lock_timeout', detail, dueTime: 7 },
        { taskNo: await no(waiting), outcome: 'waiting', code: 'refused', detail, dueTime: 8 },
      ],
      [],
      clock.now,
    );
    const { now } = clock;
    expect(await scene.task(erased, 'crm')).toMatchObject({
      state: 'erased',
      dueTime: null,
      evidence: anEvidence(),
      changedTime: now,
    });
    expect(await scene.task(held, 'crm')).toMatchObject({
      state: 'held',
      reason: 'over_cap',
      previewedRows: 500,
      dueTime: null,
      evidence: null,
    });
    expect(await scene.task(failed, 'crm')).toMatchObject({
      state: 'failed',
      reason: 'lock_timeout',
      detail,
      dueTime: 7,
    });
    expect(await scene.task(waiting, 'crm')).toMatchObject({
      state: 'waiting',
      reason: 'refused',
      dueTime: 8,
    });
    const rows = await Promise.all(requests.map((one) => under.audit(one)));
    expect(rows.map((lines) => lines.slice(1).map(({ action }) => action))).toEqual([
      ['task.erased', 'request.completed'],
      ['task.held'],
      ['task.failed'],
      [],
    ]);
  });

  it('completes a request with its last task, and once', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm'), planned('shop')]);
    await scene.work('crm', erasedOutcome);
    expect(await scene.statusOf(request)).toBe('in_progress');
    clock.now += MINUTE;
    await scene.work('shop', erasedOutcome);
    expect(await scene.statusOf(request)).toBe('completed');
    const actions = (await under.audit(request)).map(({ action }) => action);
    expect(actions).toEqual(['request.started', 'task.erased', 'task.erased', 'request.completed']);
  });

  it('does not complete a request while a task is held, failed or running', async () => {
    const { scene, clock } = use();
    const detail = 'later';
    const request = await scene.started(['crm', 'shop', 'mail', 'logs'].map((it) => planned(it)));
    await scene.lease('logs');
    await scene.work('shop', (taskNo) => heldOutcome(taskNo, 'over_cap', 5));
    const dueTime = clock.now + HOUR;
    await scene.work('mail', (taskNo) => ({
      taskNo,
      outcome: 'failed',
      code: 'lock_timeout',
      detail,
      dueTime,
    }));
    await scene.work('crm', erasedOutcome);
    expect(await scene.statusOf(request)).toBe('in_progress');
  });

  it('writes a failure into the audit log once, until it fails in another way', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm')]);
    for (const code of ['lock_timeout', 'lock_timeout', 'sql_23503', 'lock_timeout']) {
      const dueTime = clock.now;
      const detail = 'later';
      await scene.work('crm', (taskNo) => ({ taskNo, outcome: 'failed', code, detail, dueTime }));
    }
    const failures = (await under.audit(request)).filter(({ action }) => action === 'task.failed');
    expect(failures.map(({ detail }) => JSON.parse(detail ?? '{}'))).toEqual([
      { target: 'crm', reason: 'lock_timeout' },
      { target: 'crm', reason: 'sql_23503' },
      { target: 'crm', reason: 'lock_timeout' },
    ]);
  });

  it('ignores an outcome for a task of another batch', async () => {
    const { scene, under, clock } = use();
    await scene.started([planned('crm')]);
    const other = await scene.started([planned('shop')]);
    const batch = await scene.lease('crm');
    await scene.lease('shop');
    const foreign = erasedOutcome((await scene.task(other, 'shop')).taskNo);
    await under.store.recordOutcomes(batch, [foreign], [], clock.now);
    expect((await scene.task(other, 'shop')).state).toBe('running');
  });

  it('lets a task that was left out be taken over, not lost', async () => {
    const { scene, under, clock } = use();
    await scene.started([planned('crm')]);
    await under.store.recordOutcomes(await scene.lease('crm'), [], [], clock.now);
    clock.now += 31_000;
    expect((await scene.lease('crm')).tasks).toHaveLength(1);
  });

  it('lists tasks by what they are', async () => {
    const { scene, under } = use();
    const request = await scene.started([planned('crm'), planned('shop')]);
    await scene.work('shop', (taskNo) => heldOutcome(taskNo, 'over_cap', 5));
    const list = async (filter: object) =>
      (await under.tasks.tasks({ ...filter, limit: 10 })).map(({ target }) => target);
    expect(await list({ state: 'held' })).toEqual(['shop']);
    expect(await list({ reason: 'over_cap' })).toEqual(['shop']);
    expect(await list({ target: 'crm' })).toEqual(['crm']);
    expect(await list({ connector: 'http' })).toEqual([]);
    const { controllerId, subjectRequestId } = request;
    expect(await list({ controllerId, subjectRequestId })).toEqual(['crm', 'shop']);
    expect(await under.tasks.tasks({ limit: 1 })).toHaveLength(1);
  });

  const digest = (text: string) => Buffer.from(text.padEnd(32));

  async function oneErased(
    changes: Partial<NewRequest>,
    tasks: readonly PlannedTask[],
    digests: readonly string[],
    action?: Evidence['action'],
  ): Promise<NewRequest> {
    const { scene } = use();
    const request = await scene.create(changes);
    await scene.start(request, tasks, digests.map(digest));
    for (const { target } of tasks) {
      await scene.work(target, (taskNo) => erasedOutcome(taskNo, action));
    }
    return request;
  }

  it('finds the requests that erased the same person at the same target, and no others', async () => {
    const { scene, under } = use();
    const same = await oneErased({}, [planned('crm')], ['acme jane', 'acme 7']);
    await oneErased({}, [planned('crm')], ['acme joe']);
    await oneErased({}, [planned('shop')], ['acme jane']);
    await oneErased({ controllerId: GLOBEX }, [planned('crm')], ['globex jane']);
    // Somebody else has added it: no request of another controller is named.
    await oneErased({ controllerId: GLOBEX }, [planned('crm')], ['acme jane']);
    await oneErased({}, [planned('crm')], ['acme jane'], 'not_found');
    const mine = await scene.create();
    await scene.start(mine, [planned('crm')], [digest('acme jane'), digest('acme 7')]);
    const { taskNo } = await scene.task(mine, 'crm');
    expect([...(await under.store.erasedBefore([taskNo, taskNo + 99].map(asked)))]).toEqual([
      [taskNo, [same.subjectRequestId]],
    ]);
  });

  it('finds the older request of the same batch that was about to erase the same person', async () => {
    const { scene, under, clock } = use();
    const requests: NewRequest[] = [];
    for (let n = 0; n < 3; n++) {
      const request = await scene.create();
      await scene.start(request, [planned('crm')], [digest('acme jane')]);
      requests.push(request);
    }
    const batch = await scene.lease('crm');
    const taskNos = batch.tasks.map(({ taskNo }) => taskNo);
    expect(await under.store.erasedBefore(taskNos.map(asked))).toEqual(new Map());
    const [, older, younger] = requests as [NewRequest, NewRequest, NewRequest];
    const keys = under.sealKeys(older, 'crm', intendedRows());
    const { taskNo } = await scene.task(older, 'crm');
    await under.store.recordTransaction(
      batch,
      aTransaction({ intents: [anIntent(taskNo, keys)] }),
      0,
      clock.now,
    );
    expect(await under.store.erasedBefore(taskNos.map(asked))).toEqual(
      new Map([[(await scene.task(younger, 'crm')).taskNo, [older.subjectRequestId]]]),
    );
  });

  it('finds earlier requests by digests made with another key', async () => {
    const { scene, under } = use();
    const same = await oneErased({}, [planned('crm')], ['old jane']);
    await oneErased({}, [planned('crm')], ['old joe']);
    const mine = await scene.create();
    await scene.start(mine, [planned('crm')], [digest('new jane')]);
    const { taskNo } = await scene.task(mine, 'crm');
    const digests = ['old jane', 'new jane', 'old nobody'].map(digest);
    expect(await under.store.erasedBefore([asked(taskNo)])).toEqual(new Map());
    expect(await under.store.erasedBefore([{ taskNo, digests }])).toEqual(
      new Map([[taskNo, [same.subjectRequestId]]]),
    );
  });

  it('finds earlier requests by digests that an operator added', async () => {
    const { scene, under } = use();
    const same = await oneErased({}, [planned('crm')], ['acme jane']);
    const mine = await scene.started([planned('crm')]);
    const sealed = under.sealIdentities(mine, []);
    await under.operator.identify(mine, { sealed, digests: [digest('acme jane')] }, BY);
    const { taskNo } = await scene.task(mine, 'crm');
    expect((await under.store.erasedBefore([asked(taskNo)])).get(taskNo)).toEqual([
      same.subjectRequestId,
    ]);
  });
}
