// A thread beside the module: it ends the process when Unwrite is gone or a call exceeds its limit, even while
// the module loops.
import { parentPort, workerData } from 'node:worker_threads';

const LOOK_MS = 250;
/** Unwrite ends a late process itself, if it can. */
const GRACE_MS = 2000;

let deadline = Number.POSITIVE_INFINITY;

parentPort?.on('message', (limit: number | null) => {
  deadline = limit === null ? Number.POSITIVE_INFINITY : performance.now() + limit + GRACE_MS;
});
setInterval(() => {
  if (process.ppid === workerData && performance.now() < deadline) return;
  process.kill(process.pid, 'SIGKILL');
}, LOOK_MS);
