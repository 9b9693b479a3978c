// A worker as the service builds it, stepped by a test: where the queue would wait for a second, the test says
// when. It can stop at any point between two calls, with its heartbeat or without, and go on later.
import { createWork, type WorkSettings } from '../../../src/app/work.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { WorkStore } from '../../../src/domain/store/store.ts';
import type { Connector, EraseOrder } from '../../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import { Fenced, type LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import { doChores } from '../../../src/queue/do-chores.ts';
import type { QueueParts } from '../../../src/queue/queue.ts';
import { createWorkOnTarget } from '../../../src/queue/work-on-target.ts';

/** After these calls, or before them. */
const CALLS_OF_STORE = [
  'leaseBatch',
  'before recordTransaction',
  'before recordOutcomes',
  'recordOutcomes',
] as const;
const CALLS_OF_TARGET = ['preview', 'before erase', 'erase', 'verify'] as const;

/** `hangs`: the target does not answer, and the heartbeat goes on. `freezes`: nothing goes on. */
export type Stop =
  | { readonly point: Point; readonly way: 'freezes' }
  | { readonly point: (typeof CALLS_OF_TARGET)[number]; readonly way: 'hangs' };
type Point = (typeof CALLS_OF_STORE | typeof CALLS_OF_TARGET)[number];

export const STOPS: readonly Stop[] = [
  ...CALLS_OF_TARGET.map((point) => ({ point, way: 'hangs' }) as const),
  ...[...CALLS_OF_TARGET, ...CALLS_OF_STORE].map((point) => ({ point, way: 'freezes' }) as const),
];

interface StoppedRun {
  readonly target: string;
  readonly since: number;
  readonly way: Stop['way'];
  readonly done: Promise<unknown>;
  goOn(): void;
}

export interface WorkerParts {
  readonly workStore: WorkStore;
  readonly settings: WorkSettings;
  readonly clock: Clock;
  readonly name: string;
  connectorOf(target: TargetConfig): Connector;
  /** Pauses and limits were looked at. */
  readonly onMayErase: (worker: string, target: string) => void;
  readonly onErase: (worker: string, target: string, orders: readonly EraseOrder[]) => void;
  readonly onLease: (batch: LeasedBatch, worker: string) => void;
}

export async function openWorker(parts: WorkerParts) {
  const { workStore, settings, clock, name } = parts;
  const runs = new Map<string, StoppedRun>();
  /** Heartbeats and checks of targets, which nothing waits for. */
  const besides = new Set<Promise<unknown>>();
  const troubles: string[] = [];
  let isDead = false;
  let stop: Stop | undefined;
  let stopped: Pick<StoppedRun, 'way' | 'goOn'> | undefined;
  let reached = Promise.withResolvers<void>();

  const never = <T>() => new Promise<T>(() => undefined);
  const isFrozen = () => [...runs.values()].some(({ way }) => way === 'freezes');

  function beside<T>(call: Promise<T>): Promise<T> {
    const ended = call.finally(() => besides.delete(ended));
    besides.add(ended);
    return ended;
  }

  async function pass(point: Point): Promise<void> {
    if (isDead) return never();
    if (stop?.point !== point) return;
    const { way } = stop;
    stop = undefined;
    const woken = Promise.withResolvers<void>();
    stopped = { way, goOn: woken.resolve };
    reached.resolve();
    await woken.promise;
    if (isDead) return never();
  }

  const { fulfilment } = workStore;
  const wrapped: WorkStore['fulfilment'] = {
    ...fulfilment,
    async leaseBatch(request) {
      const batch = await fulfilment.leaseBatch(request);
      if (batch !== undefined) parts.onLease(batch, name);
      await pass('leaseBatch');
      return batch;
    },
    async recordOutcomes(...given) {
      await pass('before recordOutcomes');
      await fulfilment.recordOutcomes(...given);
      await pass('recordOutcomes');
    },
    async recordTransaction(batch, ...given) {
      await pass('before recordTransaction');
      if (isDead || isFrozen()) return never();
      const may = await beside(fulfilment.recordTransaction(batch, ...given));
      parts.onMayErase(name, batch.target);
      return may;
    },
    renewLease(...given) {
      if (isDead || isFrozen()) return never();
      return beside(fulfilment.renewLease(...given));
    },
    circuit: (target) => beside(fulfilment.circuit(target)),
    openCircuit: (circuit) => beside(fulfilment.openCircuit(circuit)),
    closeCircuit: (target) => beside(fulfilment.closeCircuit(target)),
  };

  let queueParts: QueueParts | undefined;
  await createWork({
    observe: () => undefined,
    store: { ...workStore, fulfilment: wrapped },
    settings,
    clock,
    worker: name,
    // By a clock that runs along: no time is skipped.
    uptime: () => clock() / 1000,
    createQueue(given) {
      queueParts = given;
      return { run: async () => undefined, stop: () => undefined };
    },
    say(message) {
      if (typeof message === 'object' && message.level === 'error') {
        troubles.push(`${message.message}: ${JSON.stringify(message.fields)}`);
      }
    },
    connect: async (target) => {
      const connector = parts.connectorOf(target);
      return {
        ...connector,
        async preview(subjects) {
          const previews = await connector.preview(subjects);
          await pass('preview');
          return previews;
        },
        async erase(subjects, { decide, record }) {
          await pass('before erase');
          let orders: readonly EraseOrder[] = [];
          const erasures = await connector.erase(subjects, {
            decide(asked, previews) {
              orders = decide(asked, previews);
              return orders;
            },
            async record(transaction) {
              if (!(await record(transaction))) return false;
              const about = new Set(transaction.erasures.map(({ taskNo }) => taskNo));
              parts.onErase(
                name,
                target.name,
                orders.filter(({ taskNo }) => about.has(taskNo)),
              );
              return true;
            },
          });
          await pass('erase');
          return erasures;
        },
        async verify(orders) {
          const verdicts = await connector.verify(orders);
          await pass('verify');
          return verdicts;
        },
      };
    },
  });
  if (queueParts === undefined) throw new Error('no queue was made');
  const queue: QueueParts = queueParts;
  const workOn = createWorkOnTarget(queue);
  await queue.store.endAllLeases();

  /** Answers whether it came to its end; where it stopped, it is kept. */
  async function until(key: string, target: string, done: Promise<unknown>): Promise<boolean> {
    reached = Promise.withResolvers<void>();
    stopped = undefined;
    const ended = done.then(() => true);
    const isOver = await Promise.race([ended, reached.promise.then(() => false)]);
    if (!isOver && stopped !== undefined) {
      const { way, goOn }: Pick<StoppedRun, 'way' | 'goOn'> = stopped;
      runs.set(key, { target, since: clock(), done, way, goOn });
      done.catch(() => undefined);
    }
    stop = undefined;
    return isOver;
  }

  /** What is frozen goes on first: nothing else of its thread ends before. */
  async function goOn(key: string): Promise<boolean> {
    const frozen = [...runs].find(([other, { way }]) => way === 'freezes' && other !== key);
    if (frozen !== undefined) await goOn(frozen[0]);
    const run = runs.get(key);
    if (run === undefined) return true;
    runs.delete(key);
    run.goOn();
    return until(key, run.target, run.done);
  }

  return {
    name,
    troubles,
    runs,
    queue,
    isFrozen,
    isDead: () => isDead,
    canWorkOn: (target: string, slot: number) =>
      !isDead && !isFrozen() && !runs.has(`${target} ${slot}`),
    startDue: () => queue.startDue(),
    doChores: () => doChores(queue),
    /** One slot of the target until nothing is left there, or it stops. */
    async work(target: string, slot: number, at?: Stop): Promise<boolean> {
      stop = at;
      let batches = 0;
      return until(
        `${target} ${slot}`,
        target,
        workOn(target, slot, () => batches++ < 10).catch(notFenced),
      );
    },
    goOn,
    /** Until nothing is under way that nothing waits for. */
    async settled(): Promise<void> {
      for (let turns = 0; turns < 5; turns++) {
        if (besides.size > 0) turns = 0;
        await Promise.allSettled(besides);
        await new Promise(setImmediate);
      }
    },
    die(): void {
      isDead = true;
    },
  };
}

/** The queue reports it, and goes on. */
function notFenced(error: unknown): void {
  if (!(error instanceof Fenced)) throw error;
}

export type Worker = Awaited<ReturnType<typeof openWorker>>;
