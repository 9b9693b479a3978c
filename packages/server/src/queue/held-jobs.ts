// The jobs that this node has taken: it sends heartbeats for all of them together, and learns from the answers which
// of them another node has taken over.
import type { JobBoard, QueueName, TakenJob } from './job-board.ts';

export interface HeldJobs {
  hold(queue: QueueName, job: TakenJob<unknown>): { isOurs(): boolean };
  letGo(job: TakenJob<unknown>): void;
  start(): void;
  stop(): void;
}

interface Held {
  readonly queue: QueueName;
  readonly job: TakenJob<unknown>;
  isOurs: boolean;
}

export function createHeldJobs(board: Pick<JobBoard, 'keep' | 'heartbeatMs'>): HeldJobs {
  const held = new Map<string, Held>();
  let timer: NodeJS.Timeout | undefined;
  let isBeating = false;

  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    try {
      await beatAll();
    } catch {
      // Without an answer it is unknown which are still ours: the next heartbeat tells.
    } finally {
      isBeating = false;
    }
  }

  async function beatAll(): Promise<void> {
    for (const [queue, all] of Map.groupBy(held.values(), ({ queue }) => queue)) {
      const kept = await board.keep(
        queue,
        all.map(({ job }) => job),
      );
      for (const one of all) if (!kept.has(one.job.id)) one.isOurs = false;
    }
  }

  return {
    hold(queue, job) {
      const one: Held = { queue, job, isOurs: true };
      held.set(job.id, one);
      return { isOurs: () => one.isOurs };
    },
    letGo(job) {
      held.delete(job.id);
    },
    start() {
      timer = setInterval(() => void beat(), board.heartbeatMs);
    },
    stop() {
      clearInterval(timer);
    },
  };
}
