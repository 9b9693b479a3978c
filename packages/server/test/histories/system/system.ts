// The system under test: a real store, workers as the service builds them, and what controllers and operators can
// do. It decides nothing about what is right; the model does.
import { vi } from 'vitest';
import { createIdentityAccess } from '../../../src/app/operator/access.ts';
import type { Store } from '../../../src/domain/store/store.ts';
import type { EraseOrder } from '../../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import type { LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import { listAttention } from '../../../src/operator/request/list-attention.ts';
import type { IdentityAccess } from '../../../src/operator/request/request-identities.ts';
import type { StoreKind } from '../../helpers/stores/test-store.ts';
import { MASTER_KEY, makeHome, type OpenedStore, ring } from './open-store.ts';
import { type HistorySettings, workSettings } from './settings.ts';
import { type TargetChoices, targetsOf } from './targets.ts';
import { openWorker, type Worker } from './worker.ts';
import { createWorld } from './world.ts';
import { createWorldConnector } from './world-connector.ts';

const HEARTBEAT_MS = 10_000;

export interface SystemEvents {
  onMayErase(worker: string, target: string): void;
  onErase(worker: string, target: string, orders: readonly EraseOrder[]): void;
  onLease(batch: LeasedBatch, worker: string): void;
}

export async function openSystem(
  kind: StoreKind,
  settings: HistorySettings,
  events: () => SystemEvents,
) {
  const home = await makeHome(kind);
  const clock = { now: Date.parse(settings.start) };
  const tell = () => clock.now;
  const world = createWorld();
  let opened: OpenedStore = await home.open(tell);
  let choices = settings.choices;
  let targets: readonly TargetConfig[] = targetsOf(choices);
  let workers: (Worker | undefined)[] = kind === 'sqlite' ? [undefined] : [undefined, undefined];
  /** Replaced while they were stopped: they may still go on. */
  let late: Worker[] = [];
  let workersMade = 0;

  async function worker(index: number): Promise<Worker> {
    const at = index % workers.length;
    const known = workers[at];
    if (known !== undefined) return known;
    const made = await openWorker({
      workStore: opened.openWorkStore(),
      settings: workSettings(settings, targets, home.folder),
      clock: tell,
      name: `worker ${++workersMade}`,
      connectorOf: (target) => createWorldConnector(world, target),
      onMayErase: (...given) => events().onMayErase(...given),
      onErase: (...given) => events().onErase(...given),
      onLease: (...given) => events().onLease(...given),
    });
    workers[at] = made;
    return made;
  }

  const alive = () => [...workers, ...late].filter((one) => one !== undefined);

  const vaultKeys = {
    ring,
    masterKeys: [MASTER_KEY],
    lacking: undefined,
    file: null,
    reload: () => undefined,
    requireKept: () => undefined,
    record: async () => undefined,
  };

  return {
    kind,
    settings,
    clock,
    world,
    worker,
    alive,
    identities: (): IdentityAccess => createIdentityAccess({ store: opened.store, vaultKeys }),
    store: (): Store => opened.store,
    requests: () => opened.requests,
    countIntents: (taskNos: readonly number[]) => opened.countIntents(taskNos),
    targets: () => targets,
    choices: () => choices,
    late: () => late,
    workers: () => workers,

    /** A thread that is stuck is replaced; where nodes share a store, another one is started. */
    replace(index: number): void {
      const at = index % workers.length;
      const old = workers[at];
      if (old !== undefined) late.push(old);
      workers[at] = undefined;
    },

    /** Everything in memory is lost. */
    async restart(changed: TargetChoices = choices): Promise<void> {
      for (const one of alive()) one.die();
      vi.clearAllTimers();
      workers = workers.map(() => undefined);
      late = [];
      await opened.close();
      choices = changed;
      targets = targetsOf(choices);
      opened = await home.open(tell);
    },

    /** With one heartbeat of each batch that is under way, at its end. */
    async forward(ms: number): Promise<void> {
      clock.now += ms;
      await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
      for (const one of alive()) await one.settled();
    },

    attention: () =>
      listAttention(
        opened.store,
        {
          cancellationWindow: settings.windowMs / 1000,
          maxStartsPerDay: settings.maxStartsPerDay,
          targets,
        },
        { limit: 1000 },
      ),

    async close(): Promise<void> {
      for (const one of alive()) one.die();
      vi.clearAllTimers();
      await opened.close();
      await home.remove();
    },
  };
}

export type System = Awaited<ReturnType<typeof openSystem>>;
