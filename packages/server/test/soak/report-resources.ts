// Loaded into the server by NODE_OPTIONS: on SIGUSR2 it writes what its main thread holds, as one line.
import { createHook } from 'node:async_hooks';
import { isMainThread } from 'node:worker_threads';
import { heapAfterCollection } from '../helpers/heap.ts';
import { RESOURCES } from './server-resources.ts';

if (isMainThread && process.argv.includes('serve')) {
  // Also those that do not keep the process alive, which Node does not list.
  const timers = new Set<number>();
  createHook({
    init(id, type) {
      if (type === 'Timeout') timers.add(id);
    },
    destroy: (id) => void timers.delete(id),
  }).enable();
  process.on('SIGUSR2', () => {
    const heapMiB = heapAfterCollection() / 2 ** 20;
    process.stderr.write(`${RESOURCES}${JSON.stringify({ timers: timers.size, heapMiB })}\n`);
  });
}
