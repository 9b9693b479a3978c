import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LEFT_OUT } from '../../../src/connectors/erase-as-previewed.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import { Fenced, type LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import { EVERYTHING } from '../../../src/domain/task/pause-ports.ts';
import { ACME, aTransaction, BY, DAY, GLOBEX } from '../../contract/fulfilment/under-test.ts';
import { aRow, aTarget, type BatchWorld, openBatchWorld } from '../batch-world.ts';

let world: BatchWorld;

afterEach(() => world.close());

const emails = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.com`);

function addRows(email: string, count: number): void {
  for (let n = 0; n < count; n++) world.connector.rows.push(aRow(email));
}

describe('a pause', () => {
  beforeEach(async () => {
    world = await openBatchWorld();
  });

  it('leases nothing while it lasts, and everything after it', async () => {
    addRows('jane@example.com', 2);
    const request = await world.erasureOf(['jane@example.com']);
    await world.under.pauses.pause(EVERYTHING, BY);
    await expect(world.run()).rejects.toThrow('nothing to do');
    expect(await world.under.store.targetsWithWork(world.clock.now)).toEqual([]);
    await world.under.pauses.resume(EVERYTHING, BY);
    await world.run();
    expect((await world.scene.task(request, 'crm')).state).toBe('erased');
  });

  it('a pause of one target does not affect the others', async () => {
    addRows('jane@example.com', 1);
    await world.erasureOf(['jane@example.com']);
    await world.under.pauses.pause('another', BY);
    expect(await world.under.store.targetsWithWork(world.clock.now)).toEqual(['crm']);
  });

  it('stops a running batch right before it erases, and keeps its intent', async () => {
    addRows('jane@example.com', 2);
    const request = await world.erasureOf(['jane@example.com']);
    world.connector.tricks = {
      preview: async (honest) => {
        await world.under.pauses.pause('crm', BY);
        return honest();
      },
    };
    await world.run();
    const { state, reason, counts } = await world.scene.task(request, 'crm');
    expect({ state, reason }).toEqual({ state: 'waiting', reason: 'paused' });
    expect(Object.values(counts ?? {})).toEqual([2]);
    expect(world.connector.rows).toHaveLength(2);
  });

  it('ends a batch whose target has nothing to record, and does not ask without end', async () => {
    addRows('jane@example.com', 2);
    const request = await world.erasureOf(['jane@example.com']);
    let times = 0;
    world.connector.erase = async (subjects, { decide, record }) => {
      if (++times > 10) throw new Error('it is asked without end');
      decide(subjects, await world.connector.preview(subjects));
      await world.under.pauses.pause('crm', BY);
      await record({ name: null, erasures: [] });
      return subjects.map(() => LEFT_OUT);
    };
    await world.run();
    expect([times, (await world.scene.task(request, 'crm')).reason]).toEqual([3, 'keeps_growing']);
  });

  it('completes what was not found, since nothing is erased for that', async () => {
    const request = await world.erasureOf(['nobody@example.com']);
    world.connector.tricks = {
      preview: async (honest) => {
        await world.under.pauses.pause('crm', BY);
        return honest();
      },
    };
    await world.run();
    expect((await world.scene.task(request, 'crm')).state).toBe('erased');
  });

  it('is an audit row, once, and in the name of who was first', async () => {
    const { pauses } = world.under;
    expect(await pauses.pause('crm', BY)).toBe(true);
    expect(await pauses.pause('crm', { ...BY, actor: 'operator:oleg' })).toBe(false);
    expect(await pauses.list()).toEqual([{ scope: 'crm', pausedTime: BY.now, pausedBy: BY.actor }]);
    expect(await pauses.resume('crm', BY)).toBe(true);
    expect(await pauses.resume('crm', BY)).toBe(false);
  });
});

describe('max_rows_per_day', () => {
  beforeEach(async () => {
    world = await openBatchWorld([aTarget({ maxRowsPerDay: 5 })]);
  });

  it('erases what fits, and the rest on the next day', async () => {
    const requests: NewRequest[] = [];
    for (const email of emails(4)) {
      addRows(email, 2);
      requests.push(await world.erasureOf([email]));
    }
    await world.run();
    const states = async () => {
      const tasks = await Promise.all(requests.map((one) => world.scene.task(one, 'crm')));
      return tasks.map(({ state }) => state);
    };
    expect(await states()).toEqual(['erased', 'erased', 'waiting', 'waiting']);
    expect(world.connector.rows).toHaveLength(4);
    expect((await world.scene.task(requests[2] as NewRequest, 'crm')).reason).toBe('daily_cap');
    await expect(world.run()).rejects.toThrow('nothing to do');
    world.clock.now += DAY;
    await world.run();
    expect(await states()).toEqual(['erased', 'erased', 'erased', 'erased']);
  });

  it('counts a task that fails and is tried again once', async () => {
    addRows('jane@example.com', 3);
    const request = await world.erasureOf(['jane@example.com']);
    world.connector.tricks = { erase: async () => [] };
    await world.run();
    world.connector.tricks = {};
    world.clock.now += 60_000;
    await world.run();
    expect((await world.scene.task(request, 'crm')).state).toBe('erased');
    addRows('joe@example.com', 2);
    const second = await world.erasureOf(['joe@example.com']);
    await world.run();
    expect((await world.scene.task(second, 'crm')).state).toBe('erased');
  });

  it('counts rows erased by a worker that died before it could report them', async () => {
    addRows('jane@example.com', 4);
    await world.erasureOf(['jane@example.com']);
    await world.dieAfter('erase');
    addRows('joe@example.com', 2);
    const second = await world.erasureOf(['joe@example.com']);
    await world.run();
    await world.run();
    expect(await world.scene.task(second, 'crm')).toMatchObject({
      state: 'waiting',
      reason: 'daily_cap',
    });
  });

  it('limits two concurrent batches together', async () => {
    const { store, second } = world.under;
    for (const email of emails(2)) {
      addRows(email, 3);
      await world.erasureOf([email]);
    }
    const [one, two] = [
      await world.scene.lease('crm', 1),
      await world.scene.lease('crm', 1, second),
    ];
    const asked = ({ tasks }: LeasedBatch) =>
      tasks.map(({ taskNo }) => ({ taskNo, rows: 3, isReleased: false }));
    const answers = await Promise.all([
      store.recordTransaction(
        one,
        aTransaction({ reservations: asked(one), maxRowsPerDay: 5 }),
        0,
        world.clock.now,
      ),
      second.recordTransaction(
        two,
        aTransaction({ reservations: asked(two), maxRowsPerDay: 5 }),
        0,
        world.clock.now,
      ),
    ]);
    expect(answers.map(({ tomorrow }) => tomorrow.size)).toEqual([0, 1]);
  });

  it('does not count for a worker that lost its batch to another', async () => {
    addRows('jane@example.com', 3);
    await world.erasureOf(['jane@example.com']);
    const late = await world.scene.lease('crm');
    world.clock.now += 31_000;
    await world.scene.lease('crm', 100, world.under.second);
    const asked = { taskNo: late.tasks[0]?.taskNo ?? 0, rows: 3, isReleased: false };
    await expect(
      world.under.store.recordTransaction(
        late,
        aTransaction({ reservations: [asked], maxRowsPerDay: 5 }),
        0,
        world.clock.now,
      ),
    ).rejects.toThrow(Fenced);
  });

  it('holds a request that exceeds the daily limit by itself, and erases it after a release', async () => {
    addRows('jane@example.com', 6);
    const request = await world.erasureOf(['jane@example.com']);
    await world.run();
    const { taskNo, state, reason } = await world.scene.task(request, 'crm');
    expect({ state, reason }).toEqual({ state: 'held', reason: 'over_cap' });
    await world.under.operator.release(taskNo, { ...BY, now: world.clock.now });
    await world.run();
    expect((await world.scene.task(request, 'crm')).state).toBe('erased');
  });
});

describe('max_starts_per_day', () => {
  beforeEach(async () => {
    world = await openBatchWorld([aTarget()], 3);
  });

  const pending = async (requests: readonly NewRequest[]) =>
    (await Promise.all(requests.map((one) => world.scene.statusOf(one)))).filter(
      (status) => status === 'pending',
    ).length;

  it('limits the daily starts of each controller independently', async () => {
    const mine: NewRequest[] = [];
    for (let n = 0; n < 5; n++) mine.push(await world.scene.create());
    await world.startDue();
    expect(await pending(mine)).toBe(2);
    const theirs = await world.scene.create({ controllerId: GLOBEX });
    world.clock.now += 10_000;
    await world.startDue();
    expect(await world.scene.statusOf(theirs)).toBe('in_progress');
    expect(await pending(mine)).toBe(2);
    world.clock.now += DAY;
    await world.startDue();
    expect(await pending(mine)).toBe(0);
  });

  it('does not refuse what an operator asks for, but counts it', async () => {
    const mine: NewRequest[] = [];
    for (let n = 0; n < 3; n++) mine.push(await world.scene.create());
    await world.startDue();
    const fourth = await world.scene.create();
    await world.under.operator.askStart(fourth, { ...BY, now: world.clock.now });
    await world.startDue();
    expect(await world.scene.statusOf(fourth)).toBe('in_progress');
    expect(await world.under.store.controllersAtDailyLimit(4, world.clock.now)).toEqual([ACME]);
  });

  it('the limit is shown to operators', async () => {
    for (let n = 0; n < 4; n++) await world.scene.create();
    await world.startDue();
    const lines = await world.under.tasks.attention({
      now: world.clock.now + 3_600_000,
      cancellationWindowMs: 0,
      patientTargets: [],
      maxStartsPerDay: 3,
      limit: 100,
    });
    const late = lines.filter(({ state }) => state === 'pending');
    expect(late.map(({ reason }) => reason)).toEqual(['daily_cap']);
  });
});
