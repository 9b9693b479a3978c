// The queue of many nodes that share a store on PostgreSQL. Each node enqueues the sweep and the chores every
// second, and one node gets each. The sweep enqueues a job for each worker slot of each target with work: a slot's
// job exists once across all nodes, so a target never has more workers than its concurrency.
// What is due, and which worker has which batch, is in the store alone; see connect-pg-boss.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { Job, JobInsert } from 'pg-boss';
import { SECOND_MS } from '../domain/time-units.ts';
import {
  connectPgBoss,
  JOB_HEARTBEAT_SECONDS,
  type PgBossConnectionOptions,
  QUEUE_NAMES,
} from './connect-pg-boss.ts';
import { doChores } from './do-chores.ts';
import { POLL_INTERVALS } from './poll-intervals.ts';
import { createPollTimer, type PollTimer } from './poll-timer.ts';
import type { Queue, QueueParts } from './queue.ts';
import { type Slot, slotJob, slotsOf } from './slot-jobs.ts';
import { tellOnceAMinute } from './tell-once-a-minute.ts';
import { createWorkOnTarget } from './work-on-target.ts';

export interface PgBossOptions extends PgBossConnectionOptions {
  /** How many worker slots, of any targets, this node fills at once. */
  readonly concurrency: number;
  /** Seconds. A node whose configuration does not have a new target yet must not treat it as removed. */
  readonly removedAfter?: number;
  /** After this time a slot with more work goes to the end of the queue, so that targets and nodes alternate. */
  readonly turnMs?: number;
}

type QueueName = (typeof QUEUE_NAMES)[number];
type Schedule = 'sweep' | 'chores';

const SCHEDULES: readonly Schedule[] = ['sweep', 'chores'];
/** A share of the interval, so that the same node does not always come first. */
const SCHEDULES_JITTER = 0.25;
/** pg-boss throttles to one job of each schedule per second over all nodes. */
/** Slots that end at about the same time cause one sweep. */
const SOON_MS = 100;
const FINISH_TRIES = 10;
const FINISH_PAUSE_MS = 500;
/** Shorter than a job lasts without heartbeats: a node that was suspended begins no batch in a slot that it lost. */
const TURN_MS = 10_000;
const REMOVED_AFTER_SECONDS = 120;

export function createPgBossQueue(given: QueueParts, options: PgBossOptions): Queue {
  const { concurrency, removedAfter = REMOVED_AFTER_SECONDS, turnMs = TURN_MS } = options;
  const { jobHeartbeat: heartbeatSeconds = JOB_HEARTBEAT_SECONDS } = options;
  const parts = { ...given, report: tellOnceAMinute(given.report) };
  const { store, targets, startDue, clock, report, intervals = POLL_INTERVALS } = parts;
  const workOn = createWorkOnTarget(parts);
  const onTrouble = (error: unknown) => report.trouble('keeping the queue', error);
  const { use, close } = connectPgBoss(options, onTrouble);
  const schedules = createPollTimer(intervals.schedules, intervals.schedules * SCHEDULES_JITTER);
  const work = createPollTimer(intervals.batches);
  /** The jobs that this node has taken. */
  const taken: Record<QueueName, Set<Job<unknown>>> = { schedules: new Set(), work: new Set() };
  const running = new Set<Promise<void>>();
  const doing = new Set<Schedule>();
  /** Targets that are not in this node's configuration; other nodes may know them. */
  const unknown = new Set<string>();
  let isFirst = true;
  let isSweepWanted = false;
  let stopping = false;

  const enqueue = (name: QueueName, jobs: readonly JobInsert[]) =>
    use((boss) =>
      boss.insert(
        name,
        jobs.map((job) => ({ ...job, heartbeatSeconds })),
      ),
    );

  async function sendHeartbeats(): Promise<void> {
    for (const name of QUEUE_NAMES) {
      const jobs = [...taken[name]];
      if (jobs.length > 0) await use((boss) => boss.touch(name, jobs));
    }
  }

  /** The job is finished even if `run` fails. */
  async function withJob(
    name: QueueName,
    job: Job<unknown>,
    what: string,
    run: () => Promise<unknown>,
  ): Promise<void> {
    taken[name].add(job);
    await run().catch((error: unknown) => report.trouble(what, error));
    taken[name].delete(job);
    await finish(name, job);
  }

  /** If every attempt fails, the job gets no more heartbeats, and expires. */
  async function finish(name: QueueName, job: Job<unknown>): Promise<void> {
    // A throttled job has to stay until its second is over.
    const end = name === 'schedules' ? 'complete' : 'deleteJob';
    for (let tries = 1; tries <= FINISH_TRIES; tries++) {
      try {
        await use((boss) => boss[end](name, job));
        return;
      } catch (error) {
        onTrouble(error);
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
    const jobs = idle.map((schedule) => ({
      singletonKey: schedule,
      data: { schedule },
      ...(!isAtOnce(schedule) && { singletonSeconds: 1 }),
    }));
    if (idle.includes('sweep')) isSweepWanted = false;
    await enqueue('schedules', jobs);
    const found = await use((boss) =>
      boss.fetch<{ schedule: Schedule }>('schedules', { batchSize: SCHEDULES.length }),
    );
    for (const job of found) begin(doSchedule(job, job.data.schedule));
  }

  async function doSchedule(job: Job<unknown>, schedule: Schedule): Promise<void> {
    doing.add(schedule);
    await withJob('schedules', job, 'looking for work', () =>
      schedule === 'sweep' ? sweep() : doChores(parts, () => !stopping),
    );
    doing.delete(schedule);
  }

  async function sweep(): Promise<void> {
    for (let more = true; more && !stopping; ) {
      ({ more } = await startDue());
      const jobs: JobInsert[] = [];
      for (const name of await store.targetsWithWork(clock())) {
        for (const slot of await slotsOf(name, parts)) jobs.push(slotJob(slot, removedAfter));
      }
      if (jobs.length === 0) continue;
      await enqueue('work', jobs);
      work.wake();
    }
  }

  async function pollWork(): Promise<void> {
    const batchSize = concurrency - taken.work.size;
    if (batchSize <= 0) return;
    const ignoreGroups = [...unknown];
    const found = await use((boss) => boss.fetch<Slot>('work', { batchSize, ignoreGroups }));
    for (const job of found) begin(workInSlot(job));
  }

  async function workInSlot(job: Job<Slot>): Promise<void> {
    const { target, lane: slotNo } = job.data;
    const until = performance.now() + turnMs;
    const isItsTurn = () => performance.now() < until;
    let hasMore = false;
    await withJob('work', job, `working on ${target}`, async () => {
      if (slotNo === null && targets.has(target)) return;
      if (slotNo !== null && !targets.has(target)) {
        // Leave it to a node whose configuration already has this target.
        unknown.add(target);
        hasMore = true;
        return;
      }
      const gotOn = await workOn(target, slotNo ?? 0, () => !stopping && isItsTurn());
      hasMore = !isItsTurn() && !stopping;
      if (gotOn) wantSweep();
    });
    // If this fails, the next sweep enqueues it.
    if (hasMore) await enqueue('work', [slotJob(job.data, removedAfter)]).catch(() => undefined);
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
      await poll().catch((error: unknown) => report.trouble('looking for work', error));
      await waited;
    }
  }

  return {
    async run() {
      const beat = () => void sendHeartbeats().catch(() => undefined);
      const heartbeats = setInterval(beat, (heartbeatSeconds * 1000) / 3);
      await Promise.all([loop(schedules, pollSchedules), loop(work, pollWork)]);
      while (running.size > 0) await Promise.all(running);
      clearInterval(heartbeats);
      await close();
    },
    stop() {
      stopping = true;
      schedules.wake();
      work.wake();
    },
  };
}
