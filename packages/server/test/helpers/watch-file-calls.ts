// What is written, synced and renamed in a folder, in order: a power cut keeps only what was synced before.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';

const WATCHED = ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync', 'linkSync'] as const;

/** Runs `work` and answers calls such as `sync draft`; `nameOf` shortens what differs from run to run. */
export function watchFileCalls(
  folder: string,
  nameOf: (path: string) => string,
  work: () => void,
): string[] {
  const calls: string[] = [];
  const paths = new Map<number, string>();
  const real = Object.fromEntries(WATCHED.map((name) => [name, fs[name]])) as unknown as Pick<
    typeof fs,
    (typeof WATCHED)[number]
  >;
  const short = (path: unknown) => nameOf(relative(folder, String(path)) || 'folder');
  const say = (verb: string, file: number) => calls.push(`${verb} ${paths.get(file)}`);
  const watching = {
    openSync(...args: Parameters<typeof fs.openSync>) {
      const file = real.openSync(...args);
      paths.set(file, short(args[0]));
      return file;
    },
    writeFileSync(...args: Parameters<typeof fs.writeFileSync>) {
      if (typeof args[0] === 'number') say('write', args[0]);
      real.writeFileSync(...args);
    },
    fsyncSync(file: number) {
      say('sync', file);
      real.fsyncSync(file);
    },
    renameSync(from: fs.PathLike, to: fs.PathLike) {
      calls.push(`rename ${short(from)} to ${short(to)}`);
      real.renameSync(from, to);
    },
    linkSync(from: fs.PathLike, to: fs.PathLike) {
      calls.push(`link ${short(from)} as ${short(to)}`);
      real.linkSync(from, to);
    },
  };
  try {
    Object.assign(fs, watching);
    syncBuiltinESMExports();
    work();
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
  return calls;
}
