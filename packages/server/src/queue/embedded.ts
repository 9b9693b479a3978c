// Who works on what, where one process does everything: the sweep, then batches for each target. A
// target that is down is left alone and asked again; the others go on.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chore } from '../domain/chore.ts';
import type { FulfilmentStore, LeasedBatch } from '../domain/fulfilment-ports.ts';
import { isOpen } from '../domain/hours.ts';
import type { Clock } from '../domain/ports.ts';
import type { TargetConfig } from '../domain/target.ts';

/** A worker that is killed costs its batch at most this long. */
const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
const POLL_MS = 500;

export interface QueueParts {
  readonly store: FulfilmentStore;
  readonly targets: ReadonlyMap<string, TargetConfig>;
  readonly startDue: () => Promise<{ readonly started: number; readonly more: boolean }>;
  /** Answers what was wrong with the target as a whole, if anything. */
  readonly runBatch: (
    batch: LeasedBatch,
    target: TargetConfig | undefined,
  ) => Promise<{ readonly down: { readonly code: string; readonly message: string } | undefined }>;
  readonly chores: readonly Chore[];
  readonly probeDelay: (failures: number) => number;
  readonly clock: Clock;
  readonly worker: string;
  readonly report: QueueReport;
}

export interface QueueReport {
  trouble(what: string, error: unknown): void;
  targetDown(target: string, code: string, detail: string): void;
  targetBack(target: string): void;
}

export interface Queue {
  /** Until told to stop, or until there has been nothing to do for so long. */
  run(idleMs: number): Promise<void>;
  /** Nothing new is begun; what is under way is finished. */
  stop(): void;
}

const BATCH_SIZE_OF_A_REMOVED_TARGET = 500;

export function createEmbeddedQueue(parts: QueueParts): Queue {
  const { store, targets, startDue, runBatch, chores, probeDelay, clock, worker, report } = parts;
  const running = new Map<string, Promise<void>>();
  let stopping = false;
  let wake: () => void = () => undefined;

  /** Answers whether it got anything done. */
  async function workOn(name: string, lane: number): Promise<boolean> {
    const target = targets.get(name);
    for (let batches = 0; ; batches++) {
      // Neither the store nor every connector waits for anything, and then no timer would run, nor a
      // message come in, before the last batch is done.
      await nextTurn();
      const now = clock();
      if (stopping || (target?.hours && !isOpen(target.hours, now))) return batches > 0;
      const circuit = await store.circuit(name);
      if (circuit !== undefined && (circuit.probeTime > now || lane > 0)) return batches > 0;
      // One task is enough to see whether a target is back.
      const size = target?.batchSize ?? BATCH_SIZE_OF_A_REMOVED_TARGET;
      const most = circuit === undefined ? size : 1;
      const wish = { target: name, most, worker, now, leaseUntil: now + LEASE_MS };
      const batch = await store.leaseBatch(wish);
      if (batch === undefined) return batches > 0;
      const { down } = await whileLeased(batch, () => runBatch(batch, target));
      if (down !== undefined) {
        const failures = (circuit?.failures ?? 0) + 1;
        await store.openCircuit({
          target: name,
          code: down.code,
          detail: down.message,
          failures,
          openedTime: circuit?.openedTime ?? clock(),
          probeTime: clock() + probeDelay(failures),
        });
        report.targetDown(name, down.code, down.message);
        return batches > 0;
      }
      if (circuit !== undefined) {
        await store.closeCircuit(name);
        report.targetBack(name);
      }
    }
  }

  async function whileLeased<T>(batch: LeasedBatch, work: () => Promise<T>): Promise<T> {
    const heartbeat = setInterval(() => {
      // A lease that cannot be renewed ends: the fence, not this timer, keeps results apart.
      store.renewLease(batch, clock() + LEASE_MS).catch(() => undefined);
    }, HEARTBEAT_MS);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
    }
  }

  function begin(name: string, lane: number): void {
    const key = `${name} ${lane}`;
    if (running.has(key)) return;
    const work = workOn(name, lane)
      .catch((error: unknown) => {
        report.trouble(`working on ${name}`, error);
        return false;
      })
      .then((gotOn) => {
        running.delete(key);
        // It may have unblocked others. Where it could do nothing, to look again at once would be to
        // do so without end.
        if (gotOn) wake();
      });
    running.set(key, work);
  }

  /** One that fails must not keep the others from being done. Answers whether any was due. */
  async function doChores(): Promise<boolean> {
    let anyDue = false;
    for (const chore of chores) {
      try {
        if (!(await chore.isDue(clock()))) continue;
        anyDue = true;
        await chore.run(clock());
      } catch (error) {
        report.trouble(chore.name, error);
      }
    }
    return anyDue;
  }

  /** Answers whether there was anything to do. */
  async function look(): Promise<boolean> {
    const { started, more } = await startDue();
    for (const name of await store.targetsWithWork(clock())) {
      for (let lane = 0; lane < (targets.get(name)?.concurrency ?? 1); lane++) begin(name, lane);
    }
    const hadChores = await doChores();
    if (more) wake();
    return started > 0 || hadChores || running.size > 0;
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    async run(idleMs) {
      await store.endAllLeases();
      let idleSince = clock();
      while (!stopping && clock() - idleSince < idleMs) {
        const rest = pause();
        try {
          if (await look()) idleSince = clock();
        } catch (error) {
          report.trouble('looking for work', error);
        }
        await rest;
      }
      await Promise.all(running.values());
    },
    stop() {
      stopping = true;
      wake();
    },
  };
}
