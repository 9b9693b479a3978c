// Who works on what, where many nodes share a store on PostgreSQL. Each of them posts the sweep and the chores
// every second, and one of them gets to do each. The sweep posts a job for each lane of each target with work:
// a lane's job is there once over all nodes, and so a target is never worked on by more than its concurrency.
// What is due, and who has which batch, stands in the store alone; see job-board.ts.
import { setTimeout as pause } from 'node:timers/promises';
import { doChores } from './do-chores.ts';
import { createHeldJobs } from './held-jobs.ts';
import {
  createJobBoard,
  type JobBoardOptions,
  type NewJob,
  type Pile,
  type TakenJob,
} from './job-board.ts';
import { createLaneJobs, type Lane } from './lane-jobs.ts';
import { POLL_INTERVALS } from './poll-intervals.ts';
import type { Queue, QueueParts } from './queue.ts';
import { createRest, type Rest } from './rest.ts';
import { tellOnceAMinute } from './tell-once-a-minute.ts';
import { createWorkOnTarget } from './work-on-target.ts';

export interface PgBossOptions extends JobBoardOptions {
  /** How many lanes, of whichever targets, this node works on at once. */
  readonly concurrency: number;
  /** Seconds. A node that has not been told of a new target yet must not take it for removed. */
  readonly removedAfter?: number;
  /** A lane that has more to do goes to the end of the row then: nodes and targets take turns. */
  readonly turnMs?: number;
}

type Schedule = 'sweep' | 'chores';

const SCHEDULES: readonly Schedule[] = ['sweep', 'chores'];
/** Of the interval, so that it is not always the same node that comes first. */
const SCHEDULES_JITTER = 0.25;
/** What the board throttles to. */
const SECOND_MS = 1000;
/** Many lanes that come to their end together want one sweep. */
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
  const { jobOf, jobsFor } = createLaneJobs(parts, removedAfter);
  const board = createJobBoard(options, (error) => report.trouble('keeping the queue', error));
  const held = createHeldJobs(board);
  const schedules = createRest(intervals.schedules, intervals.schedules * SCHEDULES_JITTER);
  const work = createRest(intervals.batches);
  const doing = new Set<Schedule>();
  /** Targets that only other nodes know, if any does. */
  const unknown = new Set<string>();
  const running = new Set<Promise<void>>();
  let lanes = 0;
  let isFirst = true;
  let isSweepWanted = false;
  let stopping = false;

  /** Whatever comes of it, the job is done with. */
  async function withJob(
    pile: Pile,
    job: TakenJob<unknown>,
    what: string,
    run: (mayGoOn: () => boolean) => Promise<void>,
  ): Promise<void> {
    const claim = held.hold(pile, job);
    try {
      await run(() => !stopping && claim.isOurs());
    } catch (error) {
      report.trouble(what, error);
    }
    held.letGo(job);
    await finish(pile, job);
  }

  /** Where it cannot be said, nobody gives signs of life for it any more, and it comes free by itself. */
  async function finish(pile: Pile, job: TakenJob<unknown>): Promise<void> {
    for (let tries = 1; tries <= FINISH_TRIES; tries++) {
      try {
        await board.finish(pile, job);
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

  async function lookAtSchedules(): Promise<void> {
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

  async function lookAtWork(): Promise<void> {
    const free = concurrency - lanes;
    if (free <= 0) return;
    for (const job of await board.take<Lane>('work', free, unknown)) begin(doLane(job));
  }

  async function doLane(job: TakenJob<Lane>): Promise<void> {
    const { target, lane } = job.data;
    const until = performance.now() + turnMs;
    let hasMore = false;
    lanes++;
    await withJob('work', job, `working on ${target}`, async (mayGoOn) => {
      if (lane === null && targets.has(target)) return;
      if (lane !== null && !targets.has(target)) {
        // For a node that has been told of it already.
        unknown.add(target);
        hasMore = true;
        return;
      }
      const isItsTurn = () => performance.now() < until;
      const gotOn = await workOn(target, lane ?? 0, () => mayGoOn() && isItsTurn());
      hasMore = !isItsTurn() && mayGoOn();
      if (gotOn) wantSweep();
    });
    lanes--;
    // Otherwise the next sweep does.
    if (hasMore) await board.post('work', [jobOf(job.data)]).catch(() => undefined);
    work.wake();
  }

  /** It may have unblocked others. */
  function wantSweep(): void {
    if (isSweepWanted) return;
    isSweepWanted = true;
    setTimeout(schedules.wake, SOON_MS);
  }

  async function loop({ rest }: Rest, look: () => Promise<void>): Promise<void> {
    while (!stopping) {
      const rested = rest();
      try {
        await look();
      } catch (error) {
        report.trouble('looking for work', error);
      }
      await rested;
    }
  }

  return {
    async run() {
      held.start();
      await Promise.all([loop(schedules, lookAtSchedules), loop(work, lookAtWork)]);
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
