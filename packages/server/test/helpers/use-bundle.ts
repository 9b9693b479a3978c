// Threads and processes of the server run from the files of scripts/bundle-for-tests.mjs.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import threads, { Worker, type WorkerOptions } from 'node:worker_threads';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** By the path of what a thread or process starts with, that of the file to run in its place. */
    readonly bundledEntries: Record<string, string>;
  }
}

const entries = inject('bundledEntries');

/** What runs in place of this file; itself where it is none of the server's entries. */
export const bundled = (path: string): string => entries[path] ?? path;

class BundledWorker extends Worker {
  constructor(entry: string | URL, options?: WorkerOptions) {
    const file = entry instanceof URL && entry.protocol === 'file:' && fileURLToPath(entry);
    super(file ? bundled(file) : entry, options);
  }
}

/** For vitest's set-up file, which is run for every test file. */
export function useBundle(): void {
  if (threads.Worker === BundledWorker) return;
  threads.Worker = BundledWorker;
  for (const name of ['fork', 'spawn', 'spawnSync'] as const) replace(name);
  syncBuiltinESMExports();
}

/** The path is the first argument of one, and among the arguments of the program of the others. */
function replace(name: 'fork' | 'spawn' | 'spawnSync'): void {
  const start = childProcess[name];
  const startBundled = (file: string, args?: unknown, ...rest: unknown[]) => {
    const given = Array.isArray(args) ? args.map((arg) => entries[String(arg)] ?? arg) : args;
    return Reflect.apply(start, childProcess, [bundled(String(file)), given, ...rest]);
  };
  Object.assign(childProcess, { [name]: startBundled });
}
