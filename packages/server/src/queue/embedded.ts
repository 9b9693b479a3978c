// Who works on what, where one process does everything: the sweep, then batches for each target. A
// target that is down is left alone and asked again; the others go on.
import { doChores } from './do-chores.ts';
import { POLL_INTERVALS } from './poll-intervals.ts';
import type { Queue, QueueParts } from './queue.ts';
import { createRest } from './rest.ts';
import { createWorkOnTarget } from './work-on-target.ts';

export function createEmbeddedQueue(parts: QueueParts): Queue {
  const { store, targets, startDue, clock, report, intervals = POLL_INTERVALS } = parts;
  const workOn = createWorkOnTarget(parts);
  const running = new Map<string, Promise<void>>();
  const { rest, wake } = createRest(intervals.batches);
  let stopping = false;

  function begin(name: string, lane: number): void {
    const key = `${name} ${lane}`;
    if (running.has(key)) return;
    const work = workOn(name, lane, () => !stopping)
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

  /** Answers whether there was anything to do. */
  async function look(): Promise<boolean> {
    const { started, more } = await startDue();
    for (const name of await store.targetsWithWork(clock())) {
      for (let lane = 0; lane < (targets.get(name)?.concurrency ?? 1); lane++) begin(name, lane);
    }
    const hadChores = await doChores(parts);
    if (more) wake();
    return started > 0 || hadChores || running.size > 0;
  }

  return {
    async run(idleMs) {
      await store.endAllLeases();
      let idleSince = clock();
      while (!stopping && clock() - idleSince < idleMs) {
        const rested = rest();
        try {
          if (await look()) idleSince = clock();
        } catch (error) {
          report.trouble('looking for work', error);
        }
        await rested;
      }
      await Promise.all(running.values());
    },
    stop() {
      stopping = true;
      wake();
    },
  };
}
