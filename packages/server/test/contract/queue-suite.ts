// What every queue must do, in real time and over a real store.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Chore } from '../../src/domain/chore.ts';
import type { NewRequest } from '../../src/domain/request/request.ts';
import { TargetDown } from '../../src/domain/target/connector.ts';
import { aTarget } from '../fulfilment/batch-world.ts';
import {
  type OpenQueueKind,
  openRealQueueWorld,
  type RealQueueWorld,
} from '../queue/real-queue-world.ts';
import { HOUR, type OpenFulfilmentStore, planned } from './fulfilment/under-test.ts';

const LEASE_MS = 30_000;

export function describeQueue(
  name: string,
  openKind: OpenQueueKind,
  openStore?: OpenFulfilmentStore,
): void {
  describe(`a queue: ${name}`, () => {
    let world: RealQueueWorld;
    afterEach(() => world.close());

    const open = async (...targets: Partial<ReturnType<typeof aTarget>>[]) => {
      const all = targets.length === 0 ? [aTarget()] : targets.map((target) => aTarget(target));
      world = await openRealQueueWorld(all, await openKind(), openStore);
    };
    /** Long enough to see that something does not happen. */
    const shortly = () => new Promise((resolve) => setTimeout(resolve, 700));
    const stateAt = async (request: NewRequest, target = 'crm') =>
      (await world.scene.task(request, target)).state;
    const create = async (count: number) => {
      const requests: NewRequest[] = [];
      for (let n = 0; n < count; n++) requests.push(await world.scene.create());
      return requests;
    };
    const areCompleted = (requests: readonly NewRequest[]) =>
      world.eventually(async () => {
        for (const request of requests) {
          expect(await world.scene.statusOf(request)).toBe('completed');
        }
      });

    it('starts what is due and erases it, target by target, and goes on so', async () => {
      await open({}, { name: 'shop', batchSize: 1 });
      const requests = await create(2);
      world.start();
      await areCompleted(requests);
      await areCompleted(await create(1));
      expect(world.said).toEqual([]);
    });

    it('continues with what is unblocked at another target', async () => {
      await open({}, { name: 'mail' });
      const [request] = (await create(1)) as [NewRequest];
      await world.scene.start(request, [planned('crm', 'resolve'), planned('mail')]);
      world.start();
      await areCompleted([request]);
    });

    it('does not work on a target outside its hours, and works when they begin', async () => {
      await open({ hours: { from: 180, to: 240, timeZone: 'UTC', text: '03:00-04:00 UTC' } });
      const requests = await create(1);
      world.start();
      await world.eventually(async () => {
        expect(await stateAt(requests[0] as NewRequest)).toBe('waiting');
      });
      await shortly();
      expect(world.connector.calls).toEqual([]);
      world.clock.now += HOUR;
      await areCompleted(requests);
    });

    it('stops calling a target that is down, tries it with one task, and continues with others', async () => {
      await open({}, { name: 'shop' });
      world.clock.stop();
      const requests = await create(2);
      const [first] = requests as [NewRequest];
      const tasksAtCrm = async () =>
        (await Promise.all(requests.map((one) => world.scene.task(one, 'crm')))).map(
          ({ taskNo }) => taskNo,
        );
      const asked: number[] = [];
      world.connector.tricks.preview = async (honest, subjects) => {
        if (!(await tasksAtCrm()).includes(subjects[0]?.taskNo ?? 0)) return honest();
        asked.push(subjects.length);
        throw new TargetDown('refused', 'it refused the connection');
      };
      world.start();
      await world.eventually(async () => {
        expect(await stateAt(first, 'shop')).toBe('erased');
        expect(await world.under.store.circuit('crm')).toMatchObject({ failures: 1 });
      });
      await shortly();
      expect(asked).toEqual([2]);
      world.clock.now += 5000;
      await world.eventually(async () => {
        expect(await world.under.store.circuit('crm')).toMatchObject({ failures: 2 });
      });
      world.connector.tricks = {};
      world.clock.now += 10_000;
      await areCompleted(requests);
      expect(asked).toEqual([2, 1]);
      expect(world.said).toEqual(['crm down: refused', 'crm down: refused', 'crm back']);
    });

    it('works on a target in no more slots than its concurrency', async () => {
      await open({ batchSize: 1, concurrency: 2 });
      const { promise: bothThere, resolve: areBothThere } = Promise.withResolvers<void>();
      let now = 0;
      let max = 0;
      world.connector.tricks.preview = async (honest) => {
        max = Math.max(max, ++now);
        if (now === 2) areBothThere();
        await bothThere;
        // A third would come in this time.
        await new Promise((resolve) => setTimeout(resolve, 40));
        now--;
        return honest();
      };
      const requests = await create(8);
      world.start();
      await areCompleted(requests);
      expect(max).toBe(2);
    });

    it('does the chores that are due, and one that fails does not keep others from it', async () => {
      await open();
      const run = vi.fn(async () => undefined);
      const chores: Chore[] = [
        { name: 'asking', isDue: () => Promise.reject(new RangeError('no')), run },
        { name: 'failing', isDue: async () => true, run: () => Promise.reject(new TypeError()) },
        { name: 'resting', isDue: async () => false, run: () => Promise.reject(new Error('due?')) },
        { name: 'good', isDue: async () => run.mock.calls.length < 2, run },
      ];
      world.start({ chores });
      await world.eventually(() => expect(run).toHaveBeenCalledTimes(2));
      expect(new Set(world.said)).toEqual(
        new Set(['trouble asking: RangeError', 'trouble failing: TypeError']),
      );
    });

    it('leaves a batch to its worker, and takes it over when that worker was killed', async () => {
      await open();
      world.clock.stop();
      const requests = await create(1);
      await world.startDue();
      await world.scene.lease('crm');
      world.start({ store: { ...world.under.store, endAllLeases: async () => undefined } });
      await shortly();
      expect(world.connector.calls).toEqual([]);
      world.clock.now += LEASE_MS + 1;
      await areCompleted(requests);
      expect(await world.evidenceOf(requests[0] as NewRequest)).toMatchObject({ attempts: 2 });
    });

    it('rests after trouble with the store, and continues when it is over', async () => {
      await open();
      const requests = await create(1);
      const { leaseBatch } = world.under.store;
      let isBroken = true;
      let asked = 0;
      const broken: typeof leaseBatch = async (request) => {
        asked++;
        if (isBroken) throw new RangeError('full');
        return await leaseBatch(request);
      };
      world.start({ store: { ...world.under.store, leaseBatch: broken } });
      await world.eventually(() => expect(asked).toBeGreaterThan(1));
      expect(asked).toBeLessThan(10);
      expect(new Set(world.said)).toEqual(new Set(['trouble working on crm: RangeError']));
      isBroken = false;
      await areCompleted(requests);
    });

    it('finishes running batches when it is told to stop, and starts no new ones', async () => {
      await open({ batchSize: 1 });
      const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
      const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
      world.connector.tricks.verify = async (honest) => {
        hasBegun();
        await slow;
        return honest();
      };
      const requests = await create(2);
      const queue = world.start();
      await begun;
      queue.stop();
      goOn();
      await world.ended();
      const states = await Promise.all(requests.map((request) => stateAt(request)));
      expect(states.toSorted()).toEqual(['erased', 'waiting']);
    });
  });
}
