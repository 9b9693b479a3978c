// The queue of many nodes that share a store on PostgreSQL. Each node enqueues the sweep and the chores every
// second, and one node gets each. The sweep enqueues a job for each worker slot of each target with work: a slot's
// job exists once across all nodes, so a target never has more workers than its concurrency.
// What is due, and which worker has which batch, is in the store alone.
import { SECOND_MS } from '../domain/time-units.ts';
import { doChores } from './do-chores.ts';
import type { Jobs, NewJob, TakenJob } from './jobs.ts';
import { POLL_INTERVALS } from './poll-intervals.ts';
import { createPollTimer, type PollTimer } from './poll-timer.ts';
import type { Queue, QueueParts } from './queue.ts';
import { type Slot, slotJob, slotsOf } from './slot-jobs.ts';
import { tellOnceAMinute } from './tell-once-a-minute.ts';
import { createWorkOnTarget } from './work-on-target.ts';

export interface ManyNodesOptions {
  readonly openJobs: (onTrouble: (error: unknown) => void) => Jobs;
  /** How many worker slots, of any targets, this node fills at once. */
  readonly concurrency: number;
  /** Seconds. A node whose configuration does not have a new target yet must not treat it as removed. */
  readonly removedAfter?: number;
  /** After this time a slot with more work goes to the end of the queue, so that targets and nodes alternate. */
  readonly turnMs?: number;
}

type Schedule = 'sweep' | 'chores';

const SCHEDULES: readonly Schedule[] = ['sweep', 'chores'];
/** A share of the interval, so that the same node does not always come first. */
const SCHEDULES_JITTER = 0.25;
/** Slots that end at about the same time cause one sweep. */
const SOON_MS = 100;
/** Shorter than a job lasts without heartbeats: a node that was suspended begins no batch in a slot that it lost. */
const TURN_MS = 10_000;
const REMOVED_AFTER_SECONDS = 120;

export function createManyNodesQueue(given: QueueParts, options: ManyNodesOptions): Queue {
  const { concurrency, removedAfter = REMOVED_AFTER_SECONDS, turnMs = TURN_MS } = options;
  const parts = { ...given, report: tellOnceAMinute(given.report) };
  const { store, targets, startDue, clock, report, intervals = POLL_INTERVALS } = parts;
  const workOn = createWorkOnTarget(parts);
  const jobs = options.openJobs((error) => report.trouble('keeping the queue', error));
  const schedules = createPollTimer(intervals.schedules, intervals.schedules * SCHEDULES_JITTER);
  const work = createPollTimer(intervals.batches);
  const running = new Set<Promise<void>>();
  const doing = new Set<Schedule>();
  /** Targets that are not in this node's configuration; other nodes may know them. */
  const unknown = new Set<string>();
  let busySlots = 0;
  let isFirst = true;
  let isSweepWanted = false;
  let stopping = false;

  function begin(job: Promise<void>): void {
    const tracked = job.finally(() => running.delete(tracked));
    running.add(tracked);
  }

  async function pollSchedules(): Promise<void> {
    if (isFirst) await store.endAllLeases();
    isFirst = false;
    const idle = SCHEDULES.filter((schedule) => !doing.has(schedule));
    if (idle.length === 0) return;
    const isAtOnce = (schedule: Schedule) =>
      intervals.schedules < SECOND_MS || (schedule === 'sweep' && isSweepWanted);
    const due = idle.map((schedule) => ({
      key: schedule,
      data: { schedule },
      isThrottled: !isAtOnce(schedule),
    }));
    if (idle.includes('sweep')) isSweepWanted = false;
    await jobs.add('schedules', due);
    const found = await jobs.take<{ schedule: Schedule }>('schedules', SCHEDULES.length);
    for (const job of found) begin(doSchedule(job));
  }

  async function doSchedule({ data: { schedule }, run }: TakenJob<{ schedule: Schedule }>) {
    doing.add(schedule);
    await run(() =>
      (schedule === 'sweep' ? sweep() : doChores(parts, () => !stopping)).catch((error: unknown) =>
        report.trouble('looking for work', error),
      ),
    );
    doing.delete(schedule);
  }

  async function sweep(): Promise<void> {
    for (let more = true; more && !stopping; ) {
      ({ more } = await startDue());
      const due: NewJob<Slot>[] = [];
      for (const name of await store.targetsWithWork(clock())) {
        for (const slot of await slotsOf(name, parts)) due.push(slotJob(slot, removedAfter));
      }
      if (due.length === 0) continue;
      await jobs.add('work', due);
      work.wake();
    }
  }

  async function pollWork(): Promise<void> {
    const free = concurrency - busySlots;
    if (free <= 0) return;
    for (const job of await jobs.take<Slot>('work', free, [...unknown])) begin(workInSlot(job));
  }

  async function workInSlot({ data, run }: TakenJob<Slot>): Promise<void> {
    let hasMore = false;
    busySlots++;
    await run(async () => {
      try {
        hasMore = await workFor(data);
      } catch (error) {
        report.trouble(`working on ${data.target}`, error);
      } finally {
        busySlots--;
      }
    });
    // If this fails, the next sweep enqueues it.
    if (hasMore) await jobs.add('work', [slotJob(data, removedAfter)]).catch(() => undefined);
    work.wake();
  }

  /** Answers whether the slot may have more work. */
  async function workFor({ target, lane: slotNo }: Slot): Promise<boolean> {
    if (slotNo === null && targets.has(target)) return false;
    if (slotNo !== null && !targets.has(target)) {
      // Leave it to a node whose configuration already has this target.
      unknown.add(target);
      return true;
    }
    const until = performance.now() + turnMs;
    const isItsTurn = () => performance.now() < until;
    const gotOn = await workOn(target, slotNo ?? 0, () => !stopping && isItsTurn());
    if (gotOn) wantSweep();
    return !isItsTurn() && !stopping;
  }

  /** Finished work may have unblocked other tasks. */
  function wantSweep(): void {
    if (isSweepWanted) return;
    isSweepWanted = true;
    setTimeout(schedules.wake, SOON_MS);
  }

  async function pollIfAble(poll: () => Promise<void>): Promise<void> {
    if ((await parts.mayWork?.()) !== false) await poll();
  }

  async function loop({ wait }: PollTimer, poll: () => Promise<void>): Promise<void> {
    while (!stopping) {
      const waited = wait();
      await pollIfAble(poll).catch((error: unknown) => report.trouble('looking for work', error));
      await waited;
    }
  }

  return {
    async run() {
      await Promise.all([loop(schedules, pollSchedules), loop(work, pollWork)]);
      while (running.size > 0) await Promise.all(running);
      await jobs.close();
    },
    stop() {
      stopping = true;
      jobs.hurry();
      schedules.wake();
      work.wake();
    },
  };
}
