import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './synced.ts';

export interface DurableStream {
  write(text: string): Promise<void>;
  /** Synced, then renamed into place: a crash leaves no file of that name, or a whole one. */
  finish(): Promise<void>;
  /** After a failure: removes what was written. */
  discard(): Promise<void>;
}

/** Readable only by its owner. */
export async function writeDurableStream(path: string): Promise<DurableStream> {
  const temporary = `${path}.${process.pid}.part`;
  const file = await open(temporary, 'w', 0o600);
  return {
    write: (text) => file.writeFile(text),
    async finish() {
      await file.sync();
      await file.close();
      await rename(temporary, path);
      syncFolder(dirname(path));
    },
    async discard() {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}
