import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { BY, commandFor, GLOBEX, HOUR, MINUTE, planned, plannedHeld, START } from './under-test.ts';
import type { UseStore } from './use-store.ts';

/** Two threads of a busy machine may take longer until each has won once. */
const RACES = { min: 40, max: 400 };

export function casesOfStarting(use: UseStore): void {
  it('finds requests whose window has passed, oldest first, and no younger ones', async () => {
    const { scene, under, clock } = use();
    const first = await scene.create();
    clock.now += MINUTE;
    const second = await scene.create();
    clock.now += MINUTE;
    await scene.create();
    const due = await under.store.dueRequests(START + MINUTE, 10);
    expect(due.map(({ subjectRequestId }) => subjectRequestId)).toEqual([
      first.subjectRequestId,
      second.subjectRequestId,
    ]);
  });

  it('finds at most as many requests as asked for, the oldest first', async () => {
    const { scene, under } = use();
    const first = await scene.create();
    await scene.create();
    const due = await under.store.dueRequests(START, 1);
    expect(due).toMatchObject([{ subjectRequestId: first.subjectRequestId }]);
  });

  it('hands over what is sealed for a request, as submitted and as added', async () => {
    const { scene, under } = use();
    const request = await scene.create();
    const sealed = under.sealIdentities(request, [new Identity('email', 'j@example.com')]);
    await under.operator.identify(request, { sealed, digests: [Buffer.from('d')] }, BY);
    expect((await scene.due(request)).identities).toHaveLength(2);
    expect(await under.tasks.sealedIdentities(request)).toHaveLength(2);
  });

  it('finds a request within its window once an operator has asked for it', async () => {
    const { scene, under } = use();
    const older = await scene.create();
    const asked = await scene.create();
    await under.operator.askStart(asked, BY);
    expect(await under.store.dueRequests(START - 1, 10)).toMatchObject([
      { subjectRequestId: asked.subjectRequestId },
    ]);
    const both = await under.store.dueRequests(START, 10);
    expect(both.map(({ subjectRequestId }) => subjectRequestId)).toEqual([
      older.subjectRequestId,
      asked.subjectRequestId,
    ]);
    await scene.start(asked, [planned('crm')]);
    expect((await under.audit(asked)).map(({ action, actor }) => [action, actor])).toEqual([
      ['request.start_asked', 'operator:olga'],
      ['request.started', 'operator:olga'],
    ]);
  });

  it('puts a plan that somebody else has changed back with the next start that has it', async () => {
    const { scene, under } = use();
    const [first, second] = [await scene.create(), await scene.create()];
    await scene.start(first, [planned('crm')]);
    const plan = await under.tasks.planOf(first);
    await under.tamper("UPDATE @plans SET targets = '[]'");
    await scene.start(second, [planned('crm')]);
    expect(plan).toHaveLength(1);
    expect(await under.tasks.planOf(second)).toEqual(plan);
    expect(await under.tasks.planOf(first)).toEqual(plan);
  });

  it('finds nothing that has started, and nothing that was cancelled', async () => {
    const { scene, under } = use();
    await scene.started([planned('crm')]);
    await under.requests.cancel({ ...(await scene.create()), actor: 'client:one' });
    expect(await under.store.dueRequests(START + HOUR, 10)).toEqual([]);
  });

  it('starts a request: in progress, a task for each target, the plan kept, one audit row', async () => {
    const { scene, under } = use();
    const request = await scene.create();
    expect(await scene.start(request, [planned('crm'), plannedHeld('paper')])).toBe(1);
    expect(await scene.statusOf(request)).toBe('in_progress');
    expect(await scene.tasksOf(request)).toMatchObject([
      { target: 'crm', state: 'waiting', dueTime: START, run: 1, attempts: 0, evidence: null },
      {
        target: 'paper',
        state: 'held',
        dueTime: null,
        reason: 'manual',
        detail: 'somebody has to',
      },
    ]);
    expect(await under.tasks.planOf(request)).toEqual([
      { target: 'crm', connector: 'sqlite', digest: 'abc' },
      { target: 'paper', connector: 'manual', digest: 'abc' },
    ]);
    expect(await under.audit(request)).toEqual([
      {
        action: 'request.started',
        actor: 'system',
        detail: '{"plan":"crm+paper","targets":["crm","paper"]}',
      },
    ]);
  });

  it('starts a request once, however often it is started', async () => {
    const { scene, under } = use();
    const request = await scene.create();
    const command = commandFor(await scene.due(request), [planned('crm')]);
    expect(await under.store.startRequests([command, command], START)).toBe(1);
    expect(await under.second.startRequests([command], START)).toBe(0);
    expect(await scene.tasksOf(request)).toHaveLength(1);
    expect(await under.audit(request)).toHaveLength(1);
  });

  it('gives no task to a request that was cancelled in the meantime, and starts the other', async () => {
    const { scene, under } = use();
    const [cancelled, other] = [await scene.create({ identities: [] }), await scene.create()];
    const commands = (await under.store.dueRequests(START, 10)).map((one) =>
      commandFor(one, [planned('crm')]),
    );
    await under.requests.cancel({ ...cancelled, actor: 'client:one' });
    expect(await under.store.startRequests(commands, START)).toBe(1);
    expect(await scene.tasksOf(cancelled)).toEqual([]);
    expect(await under.tasks.planOf(cancelled)).toBeUndefined();
    expect(await scene.statusOf(cancelled)).toBe('cancelled');
    expect(await scene.tasksOf(other)).toHaveLength(1);
  });

  it('does not start with a plan that was made before identities were added', async () => {
    const { scene, under } = use();
    const request = await scene.create({ identities: [] });
    const stale = commandFor(await scene.due(request), [plannedHeld('manual')]);
    const sealed = under.sealIdentities(request, [new Identity('email', 'j@example.com')]);
    await under.operator.identify(request, { sealed, digests: [Buffer.from('d')] }, BY);
    expect(await under.store.startRequests([stale], START)).toBe(0);
    expect(await scene.statusOf(request)).toBe('pending');
    expect(await scene.start(request, [planned('crm')])).toBe(1);
  });

  it(`lets exactly one of a cancellation and a start win, at least ${RACES.min} times`, async () => {
    const { scene, under } = use();
    const beside = await under.requestsBeside();
    const wins = { cancellation: 0, start: 0 };
    const raced = () => wins.cancellation + wins.start;
    const isEnough = () => raced() >= RACES.min && wins.cancellation > 0 && wins.start > 0;
    while (!isEnough() && raced() < RACES.max) {
      const number = raced();
      // Those that name nobody have no identities whose loss would tell of the cancellation.
      const request = await scene.create(number % 3 === 0 ? {} : { identities: [] });
      const command = commandFor(await scene.due(request), [planned('crm')]);
      const cancelling = beside.requests.cancel({ ...request, actor: 'client:one' });
      // Half of the starts give the other thread a head start, so that either may come first.
      if (number % 2 === 0) await new Promise(setImmediate);
      const started = await under.store.startRequests([command], START);
      const { outcome } = await cancelling;
      expect([started, outcome]).toEqual(started === 1 ? [1, 'not_pending'] : [0, 'cancelled']);
      expect(await scene.tasksOf(request)).toHaveLength(started);
      wins[started === 1 ? 'start' : 'cancellation'] += 1;
    }
    await beside.close();
    expect(isEnough()).toBe(true);
  }, 120_000);

  it('blocks erasing while any target looks up; the last lookup unblocks it', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([
      planned('crm', 'resolve'),
      planned('shop', 'resolve'),
      planned('mail'),
      plannedHeld('paper'),
    ]);
    expect(await under.store.targetsWithWork(START)).toEqual(['crm', 'shop']);
    await scene.work('crm', (taskNo) => ({ taskNo, outcome: 'resolved' }));
    expect(await scene.task(request, 'crm')).toMatchObject({ phase: 'erase', dueTime: null });
    expect((await scene.task(request, 'mail')).dueTime).toBeNull();
    clock.now += MINUTE;
    await scene.work('shop', (taskNo) => ({ taskNo, outcome: 'resolved' }));
    for (const target of ['crm', 'shop', 'mail']) {
      expect(await scene.task(request, target)).toMatchObject({
        phase: 'erase',
        dueTime: clock.now,
      });
    }
    expect(await scene.task(request, 'paper')).toMatchObject({ state: 'held', dueTime: null });
  });

  it('keeps what a target looked up with the request, for all later targets', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('mail')]);
    const batch = await scene.lease('crm');
    const [task] = batch.tasks;
    const sealed = under.sealIdentities(request, [new Identity('controller_customer_id', '7')]);
    const taskNo = task?.taskNo ?? 0;
    await under.store.recordOutcomes(
      batch,
      [{ taskNo, outcome: 'resolved' }],
      [{ taskNo, sealed }],
      clock.now,
    );
    expect((await scene.lease('mail')).tasks[0]?.identities).toHaveLength(2);
  });

  it('lets a target look up again with what another found before or in the meantime', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm', 'resolve'), planned('shop', 'resolve')]);
    await scene.work('shop', (taskNo) => ({ taskNo, outcome: 'resolved', openedSets: 1 }));
    const sealed = under.sealIdentities(request, [new Identity('controller_customer_id', '7')]);
    const crm = await scene.lease('crm');
    const taskNo = crm.tasks[0]?.taskNo ?? 0;
    const resolved = { taskNo, outcome: 'resolved', openedSets: 1 } as const;
    await under.store.recordOutcomes(crm, [resolved], [{ taskNo, sealed }], clock.now);
    expect(await scene.task(request, 'crm')).toMatchObject({ phase: 'erase', dueTime: null });
    expect(await scene.task(request, 'shop')).toMatchObject({
      phase: 'resolve',
      dueTime: clock.now,
    });
    await scene.work('shop', (no) => ({ taskNo: no, outcome: 'resolved', openedSets: 1 }));
    expect(await scene.task(request, 'shop')).toMatchObject({ phase: 'resolve' });
    await scene.work('shop', (no) => ({ taskNo: no, outcome: 'resolved', openedSets: 2 }));
    for (const target of ['crm', 'shop'])
      expect(await scene.task(request, target)).toMatchObject({
        phase: 'erase',
        dueTime: clock.now,
      });
  });

  it('lets a target look up once for a request that had no identities before', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([planned('crm', 'resolve')], { identities: [] });
    const identities = [new Identity('email', 'jane@example.com')];
    const sealed = under.sealIdentities(request, identities);
    const by = { actor: 'operator:o', now: clock.now };
    await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32)] }, by);
    const batch = await scene.lease('crm');
    const [task] = batch.tasks;
    const openedSets = task?.identities.length ?? 0;
    const resolved = { taskNo: task?.taskNo ?? 0, outcome: 'resolved', openedSets } as const;
    await under.store.recordOutcomes(batch, [resolved], [], clock.now);
    expect(await scene.task(request, 'crm')).toMatchObject({ phase: 'erase' });
  });

  it('keeps the tasks of controllers apart', async () => {
    const { scene, under } = use();
    const ours = await scene.started([planned('crm')]);
    const theirs = await scene.started([planned('crm')], { controllerId: GLOBEX });
    const listed = await under.tasks.tasks({ controllerId: GLOBEX, limit: 10 });
    expect(listed).toMatchObject([{ subjectRequestId: theirs.subjectRequestId }]);
    const wrongKey = { ...ours, controllerId: GLOBEX };
    expect(await under.tasks.planOf(wrongKey)).toBeUndefined();
    expect(await under.tasks.sealedIdentities(wrongKey)).toEqual([]);
  });
}
