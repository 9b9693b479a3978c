// Queues over a real store in real time, on a clock that a test may put forward.
import { vi } from 'vitest';
import type { TargetConfig } from '../../src/domain/target/target.ts';
import type { FulfilmentStore } from '../../src/domain/task/fulfilment-ports.ts';
import type { Queue, QueueParts } from '../../src/queue/queue.ts';
import { type OpenFulfilmentStore, START } from '../contract/fulfilment/under-test.ts';
import { openBatchWorld } from '../fulfilment/batch-world.ts';

export interface QueueKind {
  create(parts: QueueParts): Queue;
  close(): Promise<void>;
}

export type OpenQueueKind = () => Promise<QueueKind>;

const WAIT_MS = 30_000;

function createClock() {
  const begun = performance.now();
  let ahead = START;
  let stoppedAt: number | undefined;
  return {
    get now() {
      return Math.floor(ahead + (stoppedAt ?? performance.now()) - begun);
    },
    /** From now on only the test puts it forward: on a busy machine seconds pass in between. */
    stop() {
      stoppedAt ??= performance.now();
    },
    set now(time: number) {
      ahead += time - this.now;
    },
  };
}

function nameOf(error: unknown): string {
  const { code, name } = error as { code?: string; name: string };
  return code ?? name;
}

export async function openRealQueueWorld(
  targets: readonly TargetConfig[],
  kind: QueueKind,
  open?: OpenFulfilmentStore,
) {
  const clock = createClock();
  const world = await openBatchWorld(targets, null, clock, open);
  const said: string[] = [];
  const queues: { queue: Queue; ended: Promise<void> }[] = [];

  function start(
    changes: Partial<QueueParts> = {},
    { create }: Pick<QueueKind, 'create'> = kind,
  ): Queue {
    const store: FulfilmentStore = changes.store ?? world.under.store;
    const queue = create({
      store,
      targets: new Map(targets.map((target) => [target.name, target])),
      startDue: world.startDue,
      runBatch: world.createRun(store),
      chores: [],
      probeDelay: world.backoff.probe,
      clock: () => clock.now,
      worker: `worker ${queues.length + 1}`,
      report: {
        trouble: (what, error) => said.push(`trouble ${what}: ${nameOf(error)}`),
        targetDown: (target, code) => said.push(`${target} down: ${code}`),
        targetBack: (target) => said.push(`${target} back`),
      },
      ...changes,
    });
    queues.push({ queue, ended: queue.run(Number.POSITIVE_INFINITY) });
    return queue;
  }

  const ended = async () => {
    await Promise.all(queues.map(({ ended }) => ended));
  };

  return {
    ...world,
    clock,
    said,
    start,
    ended,
    eventually: (check: () => Promise<void> | void) =>
      vi.waitFor(check, { timeout: WAIT_MS, interval: 20 }),
    async close() {
      for (const { queue } of queues) queue.stop();
      await ended();
      await world.close();
      await kind.close();
    },
  };
}

export type RealQueueWorld = Awaited<ReturnType<typeof openRealQueueWorld>>;
