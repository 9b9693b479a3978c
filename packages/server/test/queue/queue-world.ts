// Embedded queues over a real store, on a clock and timers that only move when a test says so.
import { vi } from 'vitest';
import type { TargetConfig } from '../../src/domain/target/target.ts';
import type { FulfilmentStore } from '../../src/domain/task/fulfilment-ports.ts';
import { createEmbeddedQueue } from '../../src/queue/embedded.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { openBatchWorld } from '../fulfilment/batch-world.ts';

const POLL_MS = 500;
/** More turns of the event loop than any chain of promises here takes. */
const TURNS = 50;

export async function openQueueWorld(targets: readonly TargetConfig[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const world = await openBatchWorld(targets);
  const { clock, under } = world;
  const said: string[] = [];
  const queues: { queue: Queue; ended: Promise<void> }[] = [];
  let looks = 0;

  async function settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
  }

  /** Both the clock and the timers. */
  async function advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= POLL_MS) {
      clock.now += Math.min(left, POLL_MS);
      await vi.advanceTimersByTimeAsync(Math.min(left, POLL_MS));
      await settle();
    }
  }

  function start(changes: Partial<FulfilmentStore> = {}, idleMs = Number.POSITIVE_INFINITY): Queue {
    const store: FulfilmentStore = {
      ...under.store,
      targetsWithWork(now) {
        looks++;
        // A queue that never rests would never let the test go on.
        if (looks > 10_000) queue.stop();
        return under.store.targetsWithWork(now);
      },
      ...changes,
    };
    const queue = createEmbeddedQueue({
      store,
      targets: new Map(targets.map((target) => [target.name, target])),
      startDue: world.startDue,
      runBatch: world.createRun(store),
      chores: [],
      probeDelay: world.backoff.probe,
      clock: () => clock.now,
      worker: `worker ${queues.length + 1}`,
      report: {
        trouble: (what, error) => said.push(`trouble ${what}: ${(error as Error).name}`),
        targetDown: (target, code) => said.push(`${target} down: ${code}`),
        targetBack: (target) => said.push(`${target} back`),
      },
    });
    queues.push({ queue, ended: queue.run(idleMs) });
    return queue;
  }

  async function close(): Promise<void> {
    for (const { queue } of queues) queue.stop();
    await Promise.all(queues.map(({ ended }) => ended));
    vi.useRealTimers();
    await world.close();
  }

  return {
    ...world,
    said,
    start,
    settle,
    advance,
    close,
    looks: () => looks,
    ended: () => Promise.all(queues.map(({ ended }) => ended)),
  };
}

export type QueueWorld = Awaited<ReturnType<typeof openQueueWorld>>;
