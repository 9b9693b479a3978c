// A thread beside the module: it ends the process when Unwrite is gone, a call exceeds its limit, or the process takes
// too much memory, even while the module loops.
import { parentPort, workerData } from 'node:worker_threads';
import { killGroup } from './kill-group.ts';
import { MAX_MEMORY_MB } from './module-memory.ts';

const LOOK_MS = 250;
/** Unwrite ends a late process itself, if it can. */
const GRACE_MS = 2000;

let deadline = Number.POSITIVE_INFINITY;

parentPort?.on('message', (limit: number | null) => {
  deadline = limit === null ? Number.POSITIVE_INFINITY : performance.now() + limit + GRACE_MS;
});
setInterval(() => {
  const isWanted = process.ppid === workerData && performance.now() < deadline;
  if (isWanted && process.memoryUsage.rss() <= MAX_MEMORY_MB * 2 ** 20) return;
  killGroup(process.pid);
}, LOOK_MS);
