// Jobs in pg-boss. A node that is suspended or killed sends no heartbeats, and its jobs are free again.
import { setTimeout as pause } from 'node:timers/promises';
import type { Job, JobInsert } from 'pg-boss';
import {
  connectPgBoss,
  JOB_HEARTBEAT_SECONDS,
  type PgBossConnectionOptions,
} from './connect-pg-boss.ts';
import type { Jobs, NewJob, QueueName } from './jobs.ts';

const FINISH_TRIES = 10;
const FINISH_PAUSE_MS = 500;

export function createPgBossJobs(
  options: PgBossConnectionOptions,
  onTrouble: (error: unknown) => void,
): Jobs {
  const { jobHeartbeat: heartbeatSeconds = JOB_HEARTBEAT_SECONDS } = options;
  const { use, close } = connectPgBoss(options, onTrouble);
  /** The jobs that this node has taken. */
  const taken = { schedules: new Set<Job<unknown>>(), work: new Set<Job<unknown>>() };
  let isHurried = false;
  const heartbeats = setInterval(
    () => void sendHeartbeats().catch(() => undefined),
    (heartbeatSeconds * 1000) / 3,
  ).unref();

  async function sendHeartbeats(): Promise<void> {
    for (const name of ['schedules', 'work'] as const) {
      const jobs = [...taken[name]];
      if (jobs.length > 0) await use((boss) => boss.touch(name, jobs));
    }
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
        if (!isHurried) await pause(FINISH_PAUSE_MS);
      }
    }
  }

  return {
    async add(name, jobs) {
      await use((boss) =>
        boss.insert(
          name,
          jobs.map((job) => insertOf(job, heartbeatSeconds)),
        ),
      );
    },
    async take<T>(name: QueueName, batchSize: number, exceptGroups: readonly string[] = []) {
      const ignoreGroups = [...exceptGroups];
      const found = await use((boss) => boss.fetch<T>(name, { batchSize, ignoreGroups }));
      return found.map((job) => ({
        data: job.data,
        async run(work: () => Promise<unknown>) {
          taken[name].add(job);
          try {
            await work();
          } finally {
            taken[name].delete(job);
            await finish(name, job);
          }
        },
      }));
    },
    hurry: () => {
      isHurried = true;
    },
    close() {
      clearInterval(heartbeats);
      return close();
    },
  };
}

export function insertOf(job: NewJob, heartbeatSeconds: number): JobInsert {
  const { key: singletonKey, data, group, isThrottled, ...when } = job;
  return {
    ...when,
    singletonKey,
    data: data as object,
    heartbeatSeconds,
    ...(group !== undefined && { group: { id: group } }),
    ...(isThrottled && { singletonSeconds: 1 }),
  };
}
