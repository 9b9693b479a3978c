import { expect, it } from 'vitest';
import { byName } from '../../../src/domain/by-name.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import { NotPossible } from '../../../src/domain/task/operator-ports.ts';
import type { TaskOutcome } from '../../../src/domain/task/task.ts';
import { BY, erasedOutcome, heldOutcome, planned, plannedHeld, START } from './under-test.ts';
import type { UseStore } from './use-store.ts';

const WHY = { reason: 'an open lawsuit', legalBasis: 'Art. 17(3)(e) GDPR' };

export function casesOfTaskOperators(use: UseStore): void {
  async function oneTask(outcomeOf?: (taskNo: number) => TaskOutcome) {
    const { scene } = use();
    const request = await scene.started([planned('crm')]);
    if (outcomeOf !== undefined) await scene.work('crm', outcomeOf);
    const { taskNo } = await scene.task(request, 'crm');
    return { request, taskNo };
  }

  async function refusal(work: () => Promise<void>): Promise<string> {
    try {
      await work();
    } catch (error) {
      if (error instanceof NotPossible) return error.message;
      throw error;
    }
    throw new Error('it was possible');
  }

  const lastAudit = async (request: RequestKey) => (await use().under.audit(request)).at(-1);

  it('release lets a held task erase the previewed rows and no more', async () => {
    const { under, scene, clock } = use();
    const { request, taskNo } = await oneTask((no) => heldOutcome(no, 'over_cap', 500));
    await under.operator.release(taskNo, BY);
    expect(await scene.task(request, 'crm')).toMatchObject({
      state: 'waiting',
      dueTime: BY.now,
      reason: null,
      detail: null,
    });
    expect(await lastAudit(request)).toEqual({
      action: 'task.released',
      actor: 'operator:olga',
      detail: `{"target":"crm","task":${taskNo},"reason":"over_cap","rows":500}`,
    });
    clock.now = BY.now;
    expect((await scene.lease('crm')).tasks).toMatchObject([{ taskNo, allowedRows: 500 }]);
  });

  it('release is for the last hold, also where the clock was set back before it', async () => {
    const { under, scene, clock } = use();
    const { request, taskNo } = await oneTask((no) => heldOutcome(no, 'over_cap', 500));
    clock.now -= 3_600_000;
    await under.operator.release(taskNo, { ...BY, now: clock.now });
    await scene.work('crm', (no) => heldOutcome(no, 'over_cap', 700));
    await under.operator.release(taskNo, { ...BY, now: clock.now });
    expect((await lastAudit(request))?.detail).toContain('"rows":700');
  });

  it('release, list and lease work with numbers of rows that are too large to be exact', async () => {
    const { under, scene, clock } = use();
    const { request, taskNo } = await oneTask((no) => heldOutcome(no, 'over_cap', 500));
    await under.forceRows(taskNo, '1801439850948198200');
    const other = await oneTask((no) => heldOutcome(no, 'over_cap', 200 * 9_007_199_254_740_991));

    expect((await scene.task(request, 'crm')).previewedRows).toBeGreaterThan(1e18);
    expect((await scene.task(other.request, 'crm')).previewedRows).toBe(Number.MAX_SAFE_INTEGER);
    await under.operator.release(other.taskNo, BY);
    clock.now = BY.now;
    const { tasks } = await scene.lease('crm');
    expect(tasks[0]?.allowedRows).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([
    ['another number of rows', 500, '999999', 'was held with 500 rows'],
    ['a number where nothing was counted', null, '999999', 'was held with no rows'],
  ])('release refuses %s than the audit log has', async (_, counted, forged, told) => {
    const { under, scene } = use();
    const { request, taskNo } = await oneTask((no) => heldOutcome(no, 'over_cap', counted));
    await under.forceRows(taskNo, forged);
    expect(await refusal(() => under.operator.release(taskNo, BY))).toContain(told);
    expect(await scene.task(request, 'crm')).toMatchObject({ state: 'held' });
    expect((await lastAudit(request))?.action).toBe('task.held');
  });

  it('release refuses a number of rows of a task that was held before anything was counted', async () => {
    const { under, scene } = use();
    const request = await scene.started([plannedHeld('crm', 'preview_mode')]);
    const { taskNo } = await scene.task(request, 'crm');
    await under.forceRows(taskNo, '999999');
    const refused = await refusal(() => under.operator.release(taskNo, BY));
    expect(refused).toContain('was held with no rows');
  });

  it('release allows no particular number of rows if nothing was counted', async () => {
    const { under, scene, clock } = use();
    const { taskNo } = await oneTask((no) => heldOutcome(no, 'ambiguous_reference', null));
    await under.operator.release(taskNo, BY);
    clock.now = BY.now;
    expect((await scene.lease('crm')).tasks).toMatchObject([{ taskNo, allowedRows: null }]);
  });

  it('release refuses tasks that are not held, and manual ones', async () => {
    const { under, scene } = use();
    const { release } = under.operator;
    expect(await refusal(() => release(77, BY))).toBe('there is no task 77');
    const { request, taskNo } = await oneTask();
    expect(await refusal(() => release(taskNo, BY))).toBe(
      `task ${taskNo} is waiting; only held tasks can be released`,
    );
    const manual = await scene.started([plannedHeld('paper')]);
    const manualNo = (await scene.task(manual, 'paper')).taskNo;
    expect(await refusal(() => release(manualNo, BY))).toBe(
      `task ${manualNo} is for a person to do: confirm it, or retain`,
    );
    expect((await under.audit(request)).map(({ action }) => action)).not.toContain('task.released');
  });

  it('release lets a task that had no usable identity look up again', async () => {
    const { under, scene, clock } = use();
    const { taskNo } = await oneTask();
    await scene.work('crm', (no) => heldOutcome(no, 'no_usable_identity', null));
    await under.operator.release(taskNo, BY);
    clock.now = BY.now;
    expect((await scene.lease('crm')).tasks).toMatchObject([{ taskNo, allowedRows: null }]);
  });

  it('release is for no number of rows if the plan lacked a table', async () => {
    const { under, scene, clock } = use();
    const { request, taskNo } = await oneTask();
    await scene.work('crm', (no) => heldOutcome(no, 'unplanned_change', 3));
    await under.operator.release(taskNo, BY);
    clock.now = BY.now;
    expect((await scene.lease('crm')).tasks).toMatchObject([{ taskNo, allowedRows: null }]);
    expect((await lastAudit(request))?.detail).toContain('"rows":null');
  });

  it('release looks up again if a blank value was in the way', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('mail')]);
    await scene.work('crm', (no) => heldOutcome(no, 'ambiguous_reference', null));
    await under.operator.release((await scene.task(request, 'crm')).taskNo, BY);
    expect(await scene.task(request, 'crm')).toMatchObject({ phase: 'resolve', dueTime: BY.now });
    expect(await scene.task(request, 'mail')).toMatchObject({ dueTime: null });
  });

  it('release looks up again if too many identities were found', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('mail')]);
    await scene.work('crm', (no) => heldOutcome(no, 'too_many_resolved', null));
    await under.operator.release((await scene.task(request, 'crm')).taskNo, BY);
    expect(await scene.task(request, 'crm')).toMatchObject({ phase: 'resolve', dueTime: BY.now });
  });

  it('release out of the resolving waits for the others that resolve', async () => {
    const { under, scene, clock } = use();
    const request = await scene.started([
      planned('crm', 'resolve'),
      planned('shop', 'resolve'),
      planned('mail'),
    ]);
    await scene.work('crm', (taskNo) => heldOutcome(taskNo, 'too_many_resolved', null));
    const sealed = under.sealIdentities(request, [new Identity('controller_customer_id', '9')]);
    await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32, 9)] }, BY);
    await under.operator.release((await scene.task(request, 'crm')).taskNo, BY);
    expect(await scene.task(request, 'crm')).toMatchObject({ phase: 'erase', dueTime: null });
    await scene.work('shop', (taskNo) => ({ taskNo, outcome: 'resolved' }));
    for (const target of ['crm', 'shop', 'mail']) {
      expect(await scene.task(request, target)).toMatchObject({
        phase: 'erase',
        dueTime: clock.now,
      });
    }
  });

  it('release of a target that was missing while it should resolve lets it resolve', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('mail')]);
    await scene.work('crm', (taskNo) => heldOutcome(taskNo, 'target_removed', null));
    await under.operator.release((await scene.task(request, 'crm')).taskNo, BY);
    expect(await scene.task(request, 'crm')).toMatchObject({ phase: 'resolve', dueTime: BY.now });
    expect((await scene.task(request, 'mail')).dueTime).toBeNull();
  });

  it.each(['held', 'failed', 'waiting'] as const)(
    'retain ends a task that is %s',
    async (state) => {
      const { under, scene } = use();
      const { request, taskNo } = await oneTask((no) => {
        if (state === 'held') return heldOutcome(no, 'over_cap', 5);
        return { taskNo: no, outcome: state, code: 'x', detail: 'y', dueTime: START };
      });
      await under.operator.retain(taskNo, WHY, BY);
      const task = await scene.task(request, 'crm');
      expect(task).toMatchObject({ state: 'erased', dueTime: null, reason: null, detail: null });
      expect(task.evidence).toEqual({
        action: 'retained',
        verified: 'not applicable',
        // What the hold has counted.
        ...(state === 'held' && { kept_rows: 5 }),
        connector: 'sqlite',
        tables: {},
        attempts: 1,
        started_time: new Date(BY.now).toISOString(),
        finished_time: new Date(BY.now).toISOString(),
        by: 'operator:olga',
        note: WHY.reason,
        legal_basis: WHY.legalBasis,
      });
      expect(await scene.statusOf(request)).toBe('completed');
      expect((await under.audit(request)).slice(-2)).toMatchObject([
        { action: 'task.retained', actor: 'operator:olga' },
        { action: 'request.completed', actor: 'system' },
      ]);
    },
  );

  it.each(['held', 'failed', 'waiting'] as const)(
    'retain keeps on record what a task that is %s had reported as erased',
    async (state) => {
      const { under, scene } = use();
      const reported = byName([
        ['orders', { action: 'delete', rows: 3 }],
        ['toString', { action: 'erase', rows: 1 }],
      ] as const);
      const { request, taskNo } = await oneTask((no) => {
        if (state === 'held') return { ...heldOutcome(no, 'over_cap', 5), reported };
        return { taskNo: no, outcome: state, code: 'x', detail: 'y', dueTime: START, reported };
      });
      expect((await scene.task(request, 'crm')).reported).toEqual(reported);
      await under.operator.retain(taskNo, WHY, BY);
      expect((await scene.task(request, 'crm')).evidence).toMatchObject({
        action: 'retained',
        verified: 'reported, not re-queried',
        tables: reported,
      });
      expect((await under.audit(request)).at(-2)?.detail).toContain('"orders"');
    },
  );

  it('retain refuses tasks that are running or done', async () => {
    const { under, scene } = use();
    const { taskNo } = await oneTask();
    const batch = await scene.lease('crm');
    const allowed = 'only held or failed or waiting tasks can be retained';
    expect(await refusal(() => under.operator.retain(taskNo, WHY, BY))).toBe(
      `task ${taskNo} is running; ${allowed}`,
    );
    await under.store.recordOutcomes(batch, [erasedOutcome(taskNo)], [], START);
    expect(await refusal(() => under.operator.retain(taskNo, WHY, BY))).toBe(
      `task ${taskNo} is erased; ${allowed}`,
    );
    expect(await refusal(() => under.operator.retain(77, WHY, BY))).toBe('there is no task 77');
  });

  it('retain of the last target that should resolve lets the others erase', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('mail')]);
    await under.operator.retain((await scene.task(request, 'crm')).taskNo, WHY, BY);
    expect((await scene.task(request, 'mail')).dueTime).toBe(BY.now);
    expect(await scene.statusOf(request)).toBe('in_progress');
  });

  it('confirm ends a manual task, with a note', async () => {
    const { under, scene } = use();
    const request = await scene.started([plannedHeld('paper')]);
    const { taskNo } = await scene.task(request, 'paper');
    await under.operator.confirm(taskNo, 'shredded', BY);
    expect((await scene.task(request, 'paper')).evidence).toMatchObject({
      action: 'confirmed',
      verified: 'confirmed by a person',
      note: 'shredded',
      by: 'operator:olga',
    });
    expect(await scene.statusOf(request)).toBe('completed');
    const actions = (await under.audit(request)).map(({ action }) => action);
    expect(actions).toEqual(['request.started', 'task.confirmed', 'request.completed']);
  });

  it('confirm refuses tasks that are not manual', async () => {
    const { under } = use();
    const { taskNo } = await oneTask((no) => heldOutcome(no, 'over_cap', 5));
    expect(await refusal(() => under.operator.confirm(taskNo, 'x', BY))).toBe(
      `task ${taskNo} is not waiting for a person to do it (it is held); only such tasks are confirmed`,
    );
    expect(await refusal(() => under.operator.confirm(77, 'x', BY))).toBe('there is no task 77');
  });

  it('a refusal changes nothing and writes nothing', async () => {
    const { under, scene } = use();
    const { request, taskNo } = await oneTask();
    const before = [await scene.tasksOf(request), await under.audit(request)];
    await refusal(() => under.operator.release(taskNo, BY));
    await refusal(() => under.operator.confirm(taskNo, 'x', BY));
    expect([await scene.tasksOf(request), await under.audit(request)]).toEqual(before);
  });

  it('a preview is in the audit log, with its request if it has one', async () => {
    const { under } = use();
    const { request } = await oneTask();
    await under.operator.recordPreview(request.controllerId, request, BY);
    await under.operator.recordPreview(request.controllerId, undefined, BY);
    const previews = (await under.audit(request)).filter(({ action }) => action === 'preview.run');
    expect(previews).toMatchObject([{ actor: 'operator:olga' }]);
  });
}
