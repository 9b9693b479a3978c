// The queue of a single process: the sweep, then batches for each target. A target that is down is probed
// from time to time; the others go on.
import { doChores } from './do-chores.ts';
import { POLL_INTERVALS } from './poll-intervals.ts';
import { createPollTimer } from './poll-timer.ts';
import type { Queue, QueueParts } from './queue.ts';
import { tellOnceAMinute } from './tell-once-a-minute.ts';
import { createWorkOnTarget } from './work-on-target.ts';

export function createEmbeddedQueue(given: QueueParts): Queue {
  const parts = { ...given, report: tellOnceAMinute(given.report) };
  const { store, targets, startDue, clock, report, intervals = POLL_INTERVALS } = parts;
  const workOn = createWorkOnTarget(parts);
  const running = new Map<string, Promise<void>>();
  const { wait, wake } = createPollTimer(intervals.batches);
  let stopping = false;

  function begin(name: string, slot: number): void {
    const key = `${name} ${slot}`;
    if (running.has(key)) return;
    const work = workOn(name, slot, () => !stopping)
      .catch((error: unknown) => {
        report.trouble(`working on ${name}`, error);
        return false;
      })
      .then((gotOn) => {
        running.delete(key);
        // Finished work may have unblocked other tasks. Without progress, polling again at once would be a
        // busy loop.
        if (gotOn) wake();
      });
    running.set(key, work);
  }

  /** Returns whether there was anything to do. */
  async function look(): Promise<boolean> {
    const { started, more } = await startDue();
    for (const name of await store.targetsWithWork(clock())) {
      for (let slot = 0; slot < (targets.get(name)?.concurrency ?? 1); slot++) begin(name, slot);
    }
    const hadChores = await doChores(parts);
    if (more) wake();
    return started > 0 || hadChores || running.size > 0;
  }

  return {
    async run(idleMs) {
      await store.endAllLeases();
      let idleSince = clock();
      // While a target works, others may get work: neither a clock that jumps nor trouble with the store ends this then.
      while (!stopping && (running.size > 0 || clock() - idleSince < idleMs)) {
        const waited = wait();
        try {
          if (await look()) idleSince = clock();
        } catch (error) {
          report.trouble('looking for work', error);
        }
        await waited;
      }
      await Promise.all(running.values());
    },
    stop() {
      stopping = true;
      wake();
    },
  };
}
