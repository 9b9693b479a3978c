// The queue of many nodes that share a store on PostgreSQL. Each node enqueues the sweep and the chores every
// second, and one node gets each. The sweep enqueues a job for each worker slot of each target with work: a slot's
// job exists once across all nodes, so a target never has more workers than its concurrency.
// What is due, and which worker has which batch, is in the store alone; see job-board.ts.
import { setTimeout as pause } from 'node:timers/promises';
import { doChores } from './do-chores.ts';
import { createHeldJobs } from './held-jobs.ts';
import {
  createJobBoard,
  type JobBoardOptions,
  type NewJob,
  type QueueName,
  type TakenJob,
} from './job-board.ts';
import { POLL_INTERVALS } from './poll-intervals.ts';
import { createPollTimer, type PollTimer } from './poll-timer.ts';
import type { Queue, QueueParts } from './queue.ts';
import { createSlotJobs, type Slot } from './slot-jobs.ts';
import { tellOnceAMinute } from './tell-once-a-minute.ts';
import { createWorkOnTarget } from './work-on-target.ts';

export interface PgBossOptions extends JobBoardOptions {
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
/** What pg-boss throttles to. */
const SECOND_MS = 1000;
/** Slots that end at about the same time cause one sweep. */
const SOON_MS = 100;
const FINISH_TRIES = 10;
const FINISH_PAUSE_MS = 500;
const TURN_MS = 10_000;
const REMOVED_AFTER_SECONDS = 120;

export function createPgBossQueue(given: QueueParts, options: PgBossOptions): Queue {
  const { concurrency, removedAfter = REMOVED_AFTER_SECONDS, turnMs = TURN_MS } = options;
  const parts = { ...given, report: tellOnceAMinute(given.report) };
  const { store, targets, startDue, clock, report, intervals = POLL_INTERVALS } = parts;
  const workOn = createWorkOnTarget(parts);
  const { jobOf, jobsFor } = createSlotJobs(parts, removedAfter);
  const board = createJobBoard(options, (error) => report.trouble('keeping the queue', error));
  const held = createHeldJobs(board);
  const schedules = createPollTimer(intervals.schedules, intervals.schedules * SCHEDULES_JITTER);
  const work = createPollTimer(intervals.batches);
  const doing = new Set<Schedule>();
  /** Targets that are not in this node's configuration; other nodes may know them. */
  const unknown = new Set<string>();
  const running = new Set<Promise<void>>();
  let busySlots = 0;
  let isFirst = true;
  let isSweepWanted = false;
  let stopping = false;

  /** The job is finished even if `run` fails. */
  async function withJob(
    queue: QueueName,
    job: TakenJob<unknown>,
    what: string,
    run: (mayGoOn: () => boolean) => Promise<void>,
  ): Promise<void> {
    const claim = held.hold(queue, job);
    try {
      await run(() => !stopping && claim.isOurs());
    } catch (error) {
      report.trouble(what, error);
    }
    held.letGo(job);
    await finish(queue, job);
  }

  /** Where every try fails, the job no longer gets heartbeats, and expires. */
  async function finish(queue: QueueName, job: TakenJob<unknown>): Promise<void> {
    for (let tries = 1; tries <= FINISH_TRIES; tries++) {
      try {
        await board.finish(queue, job);
        return;
      } catch (error) {
        report.trouble('keeping the queue', error);
        if (!stopping) await pause(FINISH_PAUSE_MS);
      }
    }
  }

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
    const jobs = idle.map(
      (key): NewJob => ({ key, data: { schedule: key }, isThrottled: !isAtOnce(key) }),
    );
    if (idle.includes('sweep')) isSweepWanted = false;
    await board.post('schedules', jobs);
    const taken = await board.take<{ schedule: Schedule }>('schedules', SCHEDULES.length);
    for (const job of taken) begin(doSchedule(job, job.data.schedule));
  }

  async function doSchedule(job: TakenJob<unknown>, schedule: Schedule): Promise<void> {
    doing.add(schedule);
    await withJob('schedules', job, 'looking for work', async (mayGoOn) => {
      if (schedule === 'sweep') await sweep(mayGoOn);
      else await doChores(parts, mayGoOn);
    });
    doing.delete(schedule);
  }

  async function sweep(mayGoOn: () => boolean): Promise<void> {
    for (let more = true; more && mayGoOn(); ) {
      ({ more } = await startDue());
      const jobs = await jobsFor(await store.targetsWithWork(clock()));
      if (jobs.length === 0) continue;
      await board.post('work', jobs);
      work.wake();
    }
  }

  async function pollWork(): Promise<void> {
    const free = concurrency - busySlots;
    if (free <= 0) return;
    for (const job of await board.take<Slot>('work', free, unknown)) begin(workInSlot(job));
  }

  async function workInSlot(job: TakenJob<Slot>): Promise<void> {
    const { target, lane } = job.data;
    const until = performance.now() + turnMs;
    let hasMore = false;
    busySlots++;
    await withJob('work', job, `working on ${target}`, async (mayGoOn) => {
      if (lane === null && targets.has(target)) return;
      if (lane !== null && !targets.has(target)) {
        // Left to a node whose configuration has it already.
        unknown.add(target);
        hasMore = true;
        return;
      }
      const isItsTurn = () => performance.now() < until;
      const gotOn = await workOn(target, lane ?? 0, () => mayGoOn() && isItsTurn());
      hasMore = !isItsTurn() && mayGoOn();
      if (gotOn) wantSweep();
    });
    busySlots--;
    // If this fails, the next sweep enqueues it.
    if (hasMore) await board.post('work', [jobOf(job.data)]).catch(() => undefined);
    work.wake();
  }

  /** Finished work may have unblocked other tasks. */
  function wantSweep(): void {
    if (isSweepWanted) return;
    isSweepWanted = true;
    setTimeout(schedules.wake, SOON_MS);
  }

  async function loop({ wait }: PollTimer, poll: () => Promise<void>): Promise<void> {
    while (!stopping) {
      const waited = wait();
      try {
        await poll();
      } catch (error) {
        report.trouble('looking for work', error);
      }
      await waited;
    }
  }

  return {
    async run() {
      held.start();
      await Promise.all([loop(schedules, pollSchedules), loop(work, pollWork)]);
      while (running.size > 0) await Promise.all(running);
      held.stop();
      await board.close();
    },
    stop() {
      stopping = true;
      schedules.wake();
      work.wake();
    },
  };
}
