import { afterEach, describe, expect, it } from 'vitest';
import { TargetDown } from '../../src/domain/target/connector.ts';
import { planned } from '../contract/fulfilment/under-test.ts';
import { aRow, aTarget } from '../fulfilment/batch-world.ts';
import { openQueueWorld, type QueueWorld } from './queue-world.ts';

const JANE = 'jane@example.com';
const HOUR = 3_600_000;

describe('the queue within one process', () => {
  let world: QueueWorld;
  let isBroken = false;
  afterEach(() => world.close());

  const open = async (...targets: Parameters<typeof aTarget>) => {
    world = await openQueueWorld(targets.length === 0 ? [aTarget()] : targets.map(aTarget));
  };
  const stateAt = async (request: Parameters<QueueWorld['evidenceOf']>[0], target = 'crm') =>
    (await world.scene.task(request, target)).state;
  const count = (verb: string) => world.connector.calls.filter((call) => call.verb === verb).length;

  it('starts what is due and erases it, target by target', async () => {
    world = await openQueueWorld([aTarget(), aTarget({ name: 'shop', batchSize: 1 })]);
    const requests = [await world.scene.create(), await world.scene.create()];
    world.start();
    await world.settle();
    for (const request of requests) expect(await world.scene.statusOf(request)).toBe('completed');
  });

  it('continues with what is unblocked at another target without waiting for its next look', async () => {
    world = await openQueueWorld([aTarget(), aTarget({ name: 'mail' })]);
    const request = await world.scene.create();
    await world.scene.start(request, [planned('crm', 'resolve'), planned('mail')]);
    world.start();
    await world.settle();
    expect(await world.scene.statusOf(request)).toBe('completed');
  });

  it('does not work on a target outside its hours, polls less often, and works when they begin', async () => {
    await open({ hours: { from: 180, to: 240, timeZone: 'UTC', text: '03:00-04:00 UTC' } });
    const request = await world.scene.create();
    world.start();
    await world.advance(10_000);
    expect(await stateAt(request)).toBe('waiting');
    expect(world.connector.calls).toEqual([]);
    expect(world.looks()).toBeLessThan(50);
    world.clock.now += HOUR;
    await world.advance(500);
    expect(await world.scene.statusOf(request)).toBe('completed');
  });

  const refuse = () => Promise.reject(new TargetDown('refused', 'it refused the connection'));

  it('stops calling a target that is down, tries it with one task, and continues with others', async () => {
    world = await openQueueWorld([aTarget(), aTarget({ name: 'shop' })]);
    const requests = [await world.scene.create(), await world.scene.create()];
    const [first] = requests as [(typeof requests)[0], (typeof requests)[0]];
    const crmTasks = async () => {
      const tasks = await Promise.all(requests.map((one) => world.scene.task(one, 'crm')));
      return tasks.map(({ taskNo }) => taskNo);
    };
    world.connector.tricks.preview = async (honest, [subject]) =>
      (await crmTasks()).includes(subject?.taskNo ?? 0) ? refuse() : honest();
    world.start();
    await world.settle();
    expect(await stateAt(first, 'shop')).toBe('erased');
    expect(await stateAt(first)).toBe('waiting');
    const tasksOfCrm = await crmTasks();
    const asked = () =>
      world.connector.calls.filter(({ taskNos: [first] }) => tasksOfCrm.includes(first ?? 0));
    expect(asked().map(({ taskNos }) => taskNos.length)).toEqual([2]);
    expect(await world.under.store.circuit('crm')).toMatchObject({ failures: 1, code: 'refused' });

    await world.advance(4500);
    expect(asked()).toHaveLength(1);
    expect(world.looks()).toBeLessThan(50);
    await world.advance(500);
    expect(asked().map(({ taskNos }) => taskNos.length)).toEqual([2, 1]);
    expect(await world.under.store.circuit('crm')).toMatchObject({ failures: 2 });
    await world.advance(9500);
    expect(asked()).toHaveLength(2);

    world.connector.tricks = {};
    await world.advance(500);
    for (const request of requests) expect(await world.scene.statusOf(request)).toBe('completed');
    expect(await world.under.store.circuit('crm')).toBeUndefined();
    expect(world.said).toEqual(['crm down: refused', 'crm down: refused', 'crm back']);
  });

  it('asks a target that is down at once when an operator retries', async () => {
    await open();
    const request = await world.scene.create();
    world.connector.tricks.preview = refuse;
    world.start();
    await world.settle();
    world.connector.tricks = {};
    await world.under.operator.retry(request, { actor: 'operator:olga', now: world.clock.now });
    await world.advance(500);
    expect(await world.scene.statusOf(request)).toBe('completed');
  });

  it('fences off the late result of a worker that stalled past its lease', async () => {
    await open();
    world.connector.rows = [aRow(JANE)];
    const { promise: stalled, resolve: goOn } = Promise.withResolvers<void>();
    let calls = 0;
    world.connector.tricks.erase = async (honest) => {
      calls++;
      if (calls === 1) await stalled;
      return honest();
    };
    world.start();
    world.start();
    const request = await world.erasureOf([JANE]);
    await world.advance(500);
    expect(await stateAt(request)).toBe('running');
    // The clock alone: no timer of the stalled worker fires meanwhile.
    world.clock.now += 31_000;
    await world.advance(500);
    expect(await world.scene.statusOf(request)).toBe('completed');
    const evidence = await world.evidenceOf(request);
    expect(evidence).toMatchObject({ attempts: 2, tables: { customers: { rows: 1 } } });
    const audit = await world.under.audit(request);
    goOn();
    await world.settle();
    expect(await world.evidenceOf(request)).toEqual(evidence);
    expect(await world.under.audit(request)).toEqual(audit);
    expect(world.said).toEqual(['trouble working on crm: Fenced']);
  });

  it('keeps its lease for as long as it works', async () => {
    await open();
    const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
    world.connector.tricks.verify = async (honest) => {
      await slow;
      return honest();
    };
    world.start();
    world.start();
    const request = await world.erasureOf([JANE]);
    // Longer than a lease, and than two of them together from its last sign of life.
    await world.advance(45_000);
    expect(count('preview')).toBe(1);
    goOn();
    await world.settle();
    expect(await world.evidenceOf(request)).toMatchObject({ attempts: 1 });
  });

  it.each([
    [
      'the clock jumps ahead',
      async () => {
        world.clock.now += HOUR;
      },
    ],
    [
      'the store has trouble for minutes',
      async () => {
        isBroken = true;
        await world.advance(120_000);
        isBroken = false;
      },
    ],
  ])('continues with other targets beside one that is slow, also after %s', async (_, happen) => {
    world = await openQueueWorld([aTarget(), aTarget({ name: 'shop' })]);
    isBroken = false;
    const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
    const first = await world.scene.create();
    await world.scene.start(first, [planned('crm')]);
    const { taskNo } = await world.scene.task(first, 'crm');
    world.connector.tricks.preview = async (honest, [subject]) => {
      if (subject?.taskNo === taskNo) await slow;
      return honest();
    };
    const { targetsWithWork } = world.under.store;
    world.start(
      {
        targetsWithWork: (now) =>
          isBroken ? Promise.reject(new RangeError('full')) : targetsWithWork(now),
      },
      60_000,
    );
    await world.settle();
    expect(await stateAt(first)).toBe('running');
    await happen();
    await world.advance(1000);
    const second = await world.scene.create();
    await world.advance(1000);
    await expect(stateAt(second, 'shop').finally(goOn)).resolves.toBe('erased');
  });

  it('takes over at its start what a killed worker left', async () => {
    await open();
    const request = await world.erasureOf([JANE]);
    await world.scene.lease('crm');
    world.start();
    await world.settle();
    expect(await world.evidenceOf(request)).toMatchObject({ attempts: 2 });
  });

  it('rests after trouble with the store, of which it tells once a minute, and continues when it is over', async () => {
    await open();
    const request = await world.scene.create();
    let isBroken = true;
    const { leaseBatch } = world.under.store;
    world.start({
      leaseBatch: (asked) =>
        isBroken ? Promise.reject(new RangeError('full')) : leaseBatch(asked),
    });
    await world.advance(2000);
    expect(world.looks()).toBeLessThan(10);
    expect(world.said).toEqual(['trouble working on crm: RangeError']);
    isBroken = false;
    await world.advance(500);
    expect(await world.scene.statusOf(request)).toBe('completed');
  });

  it('finishes running work when it is told to stop, and starts nothing new', async () => {
    await open({ batchSize: 1 });
    const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
    world.connector.tricks.verify = async (honest) => {
      await slow;
      return honest();
    };
    const requests = [await world.scene.create(), await world.scene.create()];
    const queue = world.start();
    await world.settle();
    queue.stop();
    goOn();
    await world.ended();
    expect(await Promise.all(requests.map((request) => stateAt(request)))).toEqual([
      'erased',
      'waiting',
    ]);
  });

  it('can be stopped in the middle of a long series of batches', async () => {
    await open({ batchSize: 1 });
    const requests = [];
    for (let n = 0; n < 40; n++) requests.push(await world.scene.create());
    const queue = world.start();
    setImmediate(queue.stop);
    await world.ended();
    expect(await Promise.all(requests.map((request) => stateAt(request)))).toContain('waiting');
  });

  it('ends when there was nothing to do for long enough', async () => {
    await open();
    world.start({}, 60_000);
    let hasEnded = false;
    void world.ended().then(() => {
      hasEnded = true;
    });
    await world.advance(59_000);
    expect(hasEnded).toBe(false);
    await world.advance(2000);
    expect(hasEnded).toBe(true);
  });
});
