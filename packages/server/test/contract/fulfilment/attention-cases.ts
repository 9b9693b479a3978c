import { expect, it } from 'vitest';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import { TASK_STATES, type TaskPhase } from '../../../src/domain/task/task.ts';
import {
  commandFor,
  DAY,
  erasedOutcome,
  GLOBEX,
  HOUR,
  MINUTE,
  planned,
  START,
  type TaskLook,
} from './under-test.ts';
import type { StoreInUse, UseStore } from './use-store.ts';

const NOW = START + 100 * DAY;
const WINDOW = DAY;
const PHASES: readonly TaskPhase[] = ['resolve', 'erase'];
const DUE = [null, NOW - 2 * DAY, NOW - MINUTE, NOW, NOW + 7.5 * HOUR, NOW + 3 * DAY];
const LEASES = [undefined, NOW - HOUR, NOW - 10_000, NOW + 30_000, NOW + 3 * DAY];
const CHANGED = [NOW - MINUTE, NOW - 2 * DAY];
const RECEIVED = [NOW - 2 * DAY, NOW - 31 * DAY] as const;

/** Every way that a task could look, possible or not. */
function everyTask(): TaskLook[] {
  return TASK_STATES.flatMap((state) =>
    PHASES.flatMap((phase) =>
      DUE.flatMap((dueTime) =>
        LEASES.flatMap((leaseUntil) =>
          CHANGED.map((changedTime) => ({ state, phase, dueTime, leaseUntil, changedTime })),
        ),
      ),
    ),
  );
}

/** Whether a worker or the sweep would have to do with it within a day, by itself. */
function goesOn({ state, dueTime, leaseUntil, changedTime }: TaskLook): boolean {
  switch (state) {
    case 'erased':
      return true;
    case 'held':
      return false;
    case 'running':
      return leaseUntil !== undefined && leaseUntil <= NOW + DAY && changedTime > NOW - DAY;
    default:
      return dueTime !== null && dueTime <= NOW + DAY;
  }
}

/** What an operator should not be bothered with. */
function isHealthy({ state, dueTime, leaseUntil, changedTime }: TaskLook): boolean {
  if (state === 'erased') return true;
  if (state === 'running') {
    return (
      leaseUntil !== undefined && Math.abs(leaseUntil - NOW) <= MINUTE && changedTime > NOW - DAY
    );
  }
  return state === 'waiting' && dueTime !== null && Math.abs(dueTime - NOW) < 8 * HOUR;
}

export function casesOfAttention(use: UseStore): void {
  async function reasons(
    { under }: StoreInUse,
    patientTargets: string[] = [],
  ): Promise<Map<string, string[]>> {
    const lines = await under.tasks.attention({
      now: NOW,
      cancellationWindowMs: WINDOW,
      patientTargets,
      limit: 1_000_000,
    });
    const byRequest = new Map<string, string[]>();
    for (const { subjectRequestId, reason, detail } of lines) {
      expect(detail).not.toBe('');
      byRequest.set(subjectRequestId, [...(byRequest.get(subjectRequestId) ?? []), reason]);
    }
    return byRequest;
  }

  type TargetTask = TaskLook & { readonly target: string };
  interface RequestLook {
    readonly tasks: readonly TargetTask[];
    readonly receivedTime?: number;
  }

  /** Thousands of them, so in few steps: one by one they take ten times as long. */
  async function requestsWith(
    { scene, under, clock }: StoreInUse,
    forced: readonly RequestLook[],
  ): Promise<RequestKey[]> {
    const requests = await Promise.all(forced.map(() => scene.create()));
    const due = await under.store.dueRequests(clock.now, forced.length);
    const dueById = new Map(due.map((one) => [one.subjectRequestId as string, one]));
    const commands = requests.map(({ subjectRequestId }, index) => {
      const request = dueById.get(subjectRequestId);
      if (request === undefined) throw new Error('the request is not due');
      const targets = forced[index]?.tasks ?? [];
      return commandFor(
        request,
        targets.map(({ target }) => planned(target)),
      );
    });
    await under.store.startRequests(commands, clock.now);
    const placeOf = (id: string, target: string) => `${id} ${target}`;
    const numbers = new Map(
      (await under.tasks.tasks({ limit: 1_000_000 })).map(
        ({ subjectRequestId, target, taskNo }) => [placeOf(subjectRequestId, target), taskNo],
      ),
    );
    const numberOf = ({ subjectRequestId }: RequestKey, target: string) => {
      const taskNo = numbers.get(placeOf(subjectRequestId, target));
      if (taskNo === undefined) throw new Error(`there is no task at ${target}`);
      return taskNo;
    };
    const each = requests.map((key, index) => ({ key, ...(forced[index] as RequestLook) }));
    await under.forceTasks(
      each.flatMap(({ key, tasks }) =>
        tasks.map(({ target, ...task }) => ({ ...task, taskNo: numberOf(key, target) })),
      ),
    );
    await under.forceRequests(
      each.map(({ key, tasks, receivedTime = NOW - 2 * DAY }) => {
        const isDone = tasks.every(({ state }) => state === 'erased');
        return { key, status: isDone ? 'completed' : 'in_progress', receivedTime };
      }),
    );
    return requests;
  }

  async function aRequestWith(
    inUse: StoreInUse,
    tasks: readonly TargetTask[],
    receivedTime = NOW - 2 * DAY,
  ): Promise<RequestKey> {
    const [request] = await requestsWith(inUse, [{ tasks, receivedTime }]);
    return request as RequestKey;
  }

  it('shows every task that no worker would lease, in whatever state, and no healthy one', async () => {
    const inUse = use();
    const down = { target: 'down', code: 'refused', detail: 'it does not answer', failures: 3 };
    await inUse.under.store.openCircuit({ ...down, openedTime: NOW, probeTime: NOW });
    const [recently, longAgo] = RECEIVED;
    const each = everyTask().flatMap((task) => [
      { target: 'crm', receivedTime: recently, task },
      { target: 'crm', receivedTime: longAgo, task },
      { target: 'down', receivedTime: recently, task },
    ]);
    const requests = await requestsWith(
      inUse,
      each.map(({ target, receivedTime, task }) => ({
        receivedTime,
        tasks: [{ target, ...task }],
      })),
    );
    const all = each.map((one, index) => ({ ...one, id: requests[index]?.subjectRequestId ?? '' }));
    const shown = await reasons(inUse);
    const isOpen = ({ task }: (typeof all)[number]) => task.state !== 'erased';
    const troubled = all.filter(
      (one) =>
        !goesOn(one.task) ||
        (isOpen(one) && (one.target === 'down' || one.receivedTime < NOW - 30 * DAY)),
    );
    expect(troubled.filter(({ id }) => !shown.has(id))).toEqual([]);
    const healthy = all.filter((one) => isHealthy(one.task) && !troubled.includes(one));
    expect(healthy.filter(({ id }) => shown.has(id))).toEqual([]);
    expect(healthy.length).toBeGreaterThan(20);
    expect(troubled.length).toBeGreaterThan(1000);
  }, 120_000);

  it('shows every request whose tasks wait for a target that does not look up', async () => {
    const inUse = use();
    const each = everyTask();
    const blocked = { state: 'waiting', phase: 'erase', dueTime: null } as const;
    const requests = await requestsWith(
      inUse,
      each.map((task) => ({
        tasks: [
          { target: 'crm', ...task },
          { target: 'mail', ...task, ...blocked, leaseUntil: undefined },
        ],
      })),
    );
    const all = each.map((task, index) => ({ task, id: requests[index]?.subjectRequestId ?? '' }));
    const shown = await reasons(inUse);
    const resolves = ({ phase, state }: TaskLook) => phase === 'resolve' && state !== 'erased';
    const stuck = all.filter(({ task }) => !(resolves(task) && goesOn(task)));
    expect(stuck.filter(({ id }) => !shown.has(id))).toEqual([]);
    const healthy = all.filter(({ task }) => resolves(task) && isHealthy(task));
    expect(healthy.filter(({ id }) => shown.has(id))).toEqual([]);
    expect(healthy.length).toBeGreaterThan(5);
  }, 60_000);

  const WAITING: TaskLook = {
    state: 'waiting',
    phase: 'erase',
    dueTime: NOW,
    changedTime: NOW,
    leaseUntil: undefined,
  };

  it.each([
    ['held', { state: 'held' }, 'held'],
    [
      'running for a day and more',
      { state: 'running', leaseUntil: NOW, changedTime: NOW - 2 * DAY },
      'taking_long',
    ],
    ['running without a batch', { state: 'running' }, 'worker_gone'],
    ['waiting for nobody', { dueTime: null }, 'blocked'],
    ['to resolve, and never due', { phase: 'resolve', dueTime: null }, 'blocked'],
    ['due for long', { dueTime: NOW - HOUR }, 'not_worked_on'],
    ['due when the clock was ahead', { dueTime: NOW + 2 * DAY }, 'not_worked_on'],
  ] as const)('says of a task that is %s why it is shown', async (_, changes, reason) => {
    const inUse = use();
    const request = await aRequestWith(inUse, [{ target: 'crm', ...WAITING, ...changes }]);
    expect((await reasons(inUse)).get(request.subjectRequestId)).toEqual([reason]);
  });

  it('lets a target with hours of its own wait for a day', async () => {
    const inUse = use();
    const dueTime = NOW - 20 * HOUR;
    const request = await aRequestWith(inUse, [{ target: 'crm', ...WAITING, dueTime }]);
    expect((await reasons(inUse, ['crm'])).has(request.subjectRequestId)).toBe(false);
    expect((await reasons(inUse, ['shop'])).has(request.subjectRequestId)).toBe(true);
  });

  it.each([
    ['within its window', NOW - DAY + MINUTE, undefined],
    ['about to be started', NOW - DAY - MINUTE, undefined],
    ['overdue', NOW - DAY - HOUR, 'not_started'],
    ['received in the future', NOW + 3 * DAY, 'not_started'],
  ])('decides whether a pending request that is %s is shown', async (_, receivedTime, reason) => {
    const inUse = use();
    const request = await inUse.scene.create();
    await inUse.under.forceRequests([{ key: request, status: 'pending', receivedTime }]);
    expect((await reasons(inUse)).get(request.subjectRequestId)?.[0]).toBe(reason);
  });

  it('shows a request without a plan, without tasks, and with all tasks done but not completed', async () => {
    const inUse = use();
    const { under } = inUse;
    const erased = { target: 'crm', ...WAITING, state: 'erased' } as const;
    const receivedTime = NOW - 2 * DAY;
    const allDone = await inUse.scene.started([planned('crm')]);
    await inUse.scene.work('crm', (taskNo) => erasedOutcome(taskNo));
    const noPlan = await aRequestWith(inUse, [erased]);
    const noTasks = await aRequestWith(inUse, [erased]);
    const inProgress = (key: RequestKey) => ({ key, status: 'in_progress', receivedTime }) as const;
    await under.forceRequests([noPlan, noTasks, allDone].map(inProgress));
    await under.forgetPlan(noPlan);
    await under.forgetTasks(noTasks);
    const shown = await reasons(inUse);
    expect(shown.get(noPlan.subjectRequestId)).toEqual(['not_planned']);
    expect(shown.get(noTasks.subjectRequestId)).toEqual(['not_completed']);
    expect(shown.get(allDone.subjectRequestId)).toEqual(['not_completed']);
    await under.operator.retry(allDone, { actor: 'operator:olga', now: NOW });
    expect(await inUse.scene.statusOf(allDone)).toBe('completed');
    await under.operator.retry(noTasks, { actor: 'operator:olga', now: NOW });
    expect(await inUse.scene.statusOf(noTasks)).toBe('in_progress');
    const never = await inUse.scene.create();
    await under.forceRequests([inProgress(never)]);
    expect((await reasons(inUse)).get(never.subjectRequestId)).toEqual(['not_planned']);
  });

  it('shows the nearest deadline first, as many as asked for, of one controller if asked', async () => {
    const inUse = use();
    const held = { target: 'crm', ...WAITING, state: 'held' } as const;
    const younger = await aRequestWith(inUse, [held], NOW - 2 * DAY);
    const older = await aRequestWith(inUse, [held], NOW - 3 * DAY);
    const query = { now: NOW, cancellationWindowMs: WINDOW, patientTargets: [], limit: 10 };
    const { attention } = inUse.under.tasks;
    expect((await attention(query)).map(({ subjectRequestId }) => subjectRequestId)).toEqual([
      older.subjectRequestId,
      younger.subjectRequestId,
    ]);
    expect(await attention({ ...query, limit: 1 })).toHaveLength(1);
    expect(await attention({ ...query, controllerId: GLOBEX })).toEqual([]);
  });

  it('shows a task that failed also while it is tried again', async () => {
    const inUse = use();
    const { under, scene, clock } = inUse;
    const request = await aRequestWith(inUse, [{ target: 'crm', ...WAITING }]);
    clock.now = NOW;
    const first = await scene.lease('crm');
    expect((await reasons(inUse)).has(request.subjectRequestId)).toBe(false);
    const [task] = first.tasks;
    const outcome = { taskNo: task?.taskNo ?? 0, outcome: 'failed', detail: 'locked' } as const;
    const outcomes = [{ ...outcome, code: 'lock_timeout', dueTime: NOW }];
    await under.store.recordOutcomes(first, outcomes, [], NOW);
    await scene.lease('crm');
    expect((await reasons(inUse)).get(request.subjectRequestId)).toEqual(['lock_timeout']);
  });

  it('a worker that is restarted finds what was lost with its batch', async () => {
    const inUse = use();
    await aRequestWith(inUse, [{ target: 'crm', ...WAITING, state: 'running' }]);
    await inUse.under.store.endAllLeases();
    inUse.clock.now = NOW;
    expect((await inUse.scene.lease('crm')).tasks).toHaveLength(1);
  });
}
