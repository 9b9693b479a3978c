// Threads of the server run from the files of bundle-threads.ts.
import { syncBuiltinESMExports } from 'node:module';
import threads, { Worker, type WorkerOptions } from 'node:worker_threads';
import { inject } from 'vitest';

const bundled = inject('bundledThreads');

class BundledWorker extends Worker {
  constructor(entry: string | URL, options?: WorkerOptions) {
    const file = bundled[String(entry)];
    super(file === undefined ? entry : new URL(file), options);
  }
}

/** For vitest's set-up file, which is run for every test file. */
export function useBundledThreads(): void {
  if (threads.Worker === BundledWorker) return;
  threads.Worker = BundledWorker;
  syncBuiltinESMExports();
}
