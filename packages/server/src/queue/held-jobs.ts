// The jobs that this node has taken from the board: it gives signs of life for all of them together, and
// learns by it which of them another node has taken over.
import type { JobBoard, Pile, TakenJob } from './job-board.ts';

export interface HeldJobs {
  hold(pile: Pile, job: TakenJob<unknown>): { isOurs(): boolean };
  letGo(job: TakenJob<unknown>): void;
  start(): void;
  stop(): void;
}

interface Held {
  readonly pile: Pile;
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
      await keepAll();
    } catch {
      // Without an answer nothing is known of whose they are: the next one tells.
    } finally {
      isBeating = false;
    }
  }

  async function keepAll(): Promise<void> {
    for (const [pile, all] of Map.groupBy(held.values(), ({ pile }) => pile)) {
      const kept = await board.keep(
        pile,
        all.map(({ job }) => job),
      );
      for (const one of all) if (!kept.has(one.job.id)) one.isOurs = false;
    }
  }

  return {
    hold(pile, job) {
      const one: Held = { pile, job, isOurs: true };
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
