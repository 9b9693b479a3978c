// What the server's own side does, and what happens to it: the sweep, batches, chores; stops, late workers,
// restarts, another configuration; and the clock.
import fc from 'fast-check';
import type { History } from '../history.ts';
import { STARTS } from '../system/settings.ts';
import type { TargetChoices } from '../system/targets.ts';
import { STOPS, type Stop, type Worker } from '../system/worker.ts';
import { FAULTS, type Fault } from '../system/world.ts';
import { command, type HistoryCommand, pick } from './command.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TARGETS = ['crm', 'shop'] as const;
const anIndex = fc.nat({ max: 20 });

const stop: fc.Arbitrary<Stop> = fc.constantFrom(...STOPS);

/** Everything that a queue does in one look, but chores. */
export async function lookForWork(history: History, index: number, at?: Stop): Promise<void> {
  const { system } = history;
  const worker = await system.worker(index);
  if (worker.isFrozen()) return;
  await worker.startDue();
  let left = at;
  for (const target of await worker.queue.store.targetsWithWork(system.clock.now)) {
    const slots = worker.queue.targets.get(target)?.concurrency ?? 1;
    for (let slot = 0; slot < slots; slot++) {
      if (!worker.canWorkOn(target, slot)) continue;
      await worker.work(target, slot, left);
      // The first that comes there stops.
      if (worker.runs.size > 0) left = undefined;
      if (worker.isFrozen()) return;
    }
  }
}

async function workOn(history: History, index: number, target: string, at?: Stop): Promise<void> {
  const worker = await history.system.worker(index);
  for (const slot of [0, 1]) {
    const isSlot = slot < (worker.queue.targets.get(target)?.concurrency ?? 1);
    if (isSlot && worker.canWorkOn(target, slot)) return void (await worker.work(target, slot, at));
  }
}

/** Two nodes at the same moment. */
async function workBeside({ system }: History, target: string): Promise<void> {
  const both = await Promise.all([system.worker(0), system.worker(1)]);
  if (new Set(both).size < both.length) return;
  const free = both.filter((worker) => worker.canWorkOn(target, 0));
  await Promise.all(free.map((worker) => worker.startDue()));
  await Promise.all(free.map((worker) => worker.work(target, 0)));
}

export async function doChores({ system }: History, index: number): Promise<boolean> {
  const worker = await system.worker(index);
  if (worker.isFrozen()) return false;
  // Some are due again at once, and end after a while: one batch of requests at a time.
  for (let rounds = 0; rounds < 3 && (await worker.doChores()); rounds++) await worker.settled();
  await worker.settled();
  return true;
}

const stoppedRuns = ({ system }: History) =>
  system.alive().flatMap((worker) => [...worker.runs.keys()].map((key) => ({ worker, key })));

async function goOn(history: History, index: number): Promise<void> {
  const run = pick(stoppedRuns(history), index);
  await run?.worker.goOn(run.key);
}

interface LateWorker {
  readonly index: number;
  readonly first: Stop['point'];
  readonly ms: number;
  readonly second: Stop | undefined;
}

const lateWorker: fc.Arbitrary<LateWorker> = fc.record({
  index: anIndex,
  first: stop.map(({ point }) => point),
  ms: fc.constantFrom(31 * SECOND, 2 * MINUTE, DAY),
  second: fc.option(stop, { nil: undefined, freq: 4 }),
});

/** One stops, another takes over what it had and may stop too, and the first goes on. */
async function comeLate(history: History, { index, first, ms, second }: LateWorker): Promise<void> {
  const { system } = history;
  await lookForWork(history, index, { point: first, way: 'freezes' });
  const late = await system.worker(index);
  if (!late.isFrozen()) return;
  system.replace(index);
  await history.check();
  await system.forward(ms);
  await lookForWork(history, index, second);
  await history.check();
  for (const key of [...late.runs.keys()]) await late.goOn(key);
}

const isStopped = (worker: Worker | undefined) => (worker?.runs.size ?? 0) > 0;

const durations = [
  SECOND,
  31 * SECOND,
  MINUTE,
  6 * MINUTE,
  16 * MINUTE,
  25 * MINUTE,
  HOUR,
  7 * HOUR,
  DAY - 1,
  DAY,
  DAY + 1,
  3 * DAY,
  31 * DAY,
];

/** To the moment at which the window of a request ends, or a millisecond before it. */
export async function forwardToWindow(
  history: History,
  index: number,
  before: number,
): Promise<void> {
  const { model, system } = history;
  const pending = [...model.requests.values()].filter(({ status }) => status === 'pending');
  const request = pick(pending, index);
  if (request === undefined) return;
  const end = request.receivedTime + system.settings.windowMs - before;
  if (end > system.clock.now) await system.forward(end - system.clock.now);
}

export const choices: fc.Arbitrary<TargetChoices> = fc.record({
  crm: fc.constantFrom('erase', 'erase', 'erase', 'manual', 'none'),
  shop: fc.constantFrom('erase', 'erase', 'erase', 'preview', 'none'),
  cabinet: mostly(false),
  resolve: mostly(false),
  hours: mostly(false),
  rowsPerDay: fc.constantFrom(null, null, null, 5),
  whenUnmatched: fc.constantFrom('hold', 'hold', 'skip'),
  concurrency: fc.constantFrom(1, 1, 2),
  batchSize: fc.constantFrom(50, 50, 1),
  place: fc.constantFrom('first', 'first', 'first', 'second'),
});

function mostly(value: boolean): fc.Arbitrary<boolean> {
  return fc.constantFrom(value, value, value, !value);
}

export const settings = fc.record({
  start: fc.constantFrom(...STARTS),
  windowMs: fc.constantFrom(DAY, DAY, 0, HOUR),
  maxStartsPerDay: fc.constantFrom(null, null, 2),
  choices,
});

interface Turn {
  readonly index: number;
  readonly ms: number;
  readonly target: 'crm' | 'shop';
  readonly fault: Fault | undefined;
  readonly stop: Stop | undefined;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  index: anIndex,
  ms: fc.constantFrom(0, 0, 31 * SECOND, 6 * MINUTE, HOUR, DAY, DAY, DAY),
  target: fc.constantFrom(...TARGETS),
  fault: fc.option(fc.constantFrom(...FAULTS), { nil: undefined, freq: 2 }),
  stop: fc.option(stop, { nil: undefined, freq: 2 }),
});

/** Time passes, a target changes, and the server goes on: what most of a life is made of. */
async function takeTurn(history: History, given: Turn): Promise<void> {
  const { system } = history;
  if (given.fault !== undefined) system.world.faults.set(given.target, given.fault);
  if (given.ms > 0) await system.forward(given.ms);
  await history.check();
  await lookForWork(history, given.index, given.stop);
}

const many = <T>(times: number, make: () => T): T[] => Array.from({ length: times }, make);

export const workerCommands: fc.Arbitrary<HistoryCommand>[] = [
  ...many(10, () =>
    turn.map((given) => command({ name: 'turn', given, run: (it) => takeTurn(it, given) })),
  ),
  ...many(4, () =>
    fc.record({ index: anIndex, stop: fc.option(stop, { nil: undefined }) }).map((given) =>
      command({
        name: 'look for work',
        given,
        run: (it) => lookForWork(it, given.index, given.stop),
      }),
    ),
  ),
  anIndex.map((index) =>
    command({
      name: 'start what is due',
      given: { index },
      async run({ system }) {
        const worker = await system.worker(index);
        if (!worker.isFrozen()) await worker.startDue();
      },
    }),
  ),
  ...many(3, () =>
    fc
      .record({
        index: anIndex,
        target: fc.constantFrom(...TARGETS),
        stop: fc.option(stop, { nil: undefined }),
      })
      .map((given) =>
        command({
          name: 'work',
          given,
          run: (it) => workOn(it, given.index, given.target, given.stop),
        }),
      ),
  ),
  fc.constantFrom(...TARGETS).map((target) =>
    command({
      name: 'two nodes work',
      given: { target },
      can: ({ system }) => system.kind === 'postgres',
      run: (it) => workBeside(it, target),
    }),
  ),
  ...many(3, () =>
    lateWorker.map((given) =>
      command({ name: 'a worker comes late', given, run: (it) => comeLate(it, given) }),
    ),
  ),
  ...many(2, () =>
    anIndex.map((index) =>
      command({
        name: 'a stopped worker goes on',
        given: { index },
        can: (it) => stoppedRuns(it).length > 0,
        run: (it) => goOn(it, index),
      }),
    ),
  ),
  ...many(2, () =>
    anIndex.map((index) =>
      command({
        name: 'a stopped worker is replaced',
        given: { index },
        can: ({ system }) => isStopped(pick(system.workers(), index)),
        run: async ({ system }) => system.replace(index),
      }),
    ),
  ),
  anIndex.map((index) =>
    command({ name: 'chores', given: { index }, run: (it) => doChores(it, index) }),
  ),
  fc.constant(
    command({
      name: 'restart',
      async run({ system, model }) {
        await system.restart();
        model.looksDeep = true;
      },
    }),
  ),
  choices.map((changed) =>
    command({
      name: 'restart with',
      given: changed,
      run: ({ system }) => system.restart(changed),
    }),
  ),
  ...many(4, () =>
    fc
      .constantFrom(...durations)
      .map((ms) =>
        command({ name: 'forward', given: { ms }, run: ({ system }) => system.forward(ms) }),
      ),
  ),
  ...many(2, () =>
    fc.record({ index: anIndex, before: fc.constantFrom(0, 1, -1) }).map((given) =>
      command({
        name: 'forward to the end of the window',
        given,
        run: (it) => forwardToWindow(it, given.index, given.before),
      }),
    ),
  ),
];
