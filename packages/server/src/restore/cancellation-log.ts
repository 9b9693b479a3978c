// Every cancellation that this node answers with 202 is synced to a file first, outside of the store: a backup that
// is restored does not know it. After the commit, so that what is in the file was cancelled; beside the next commit,
// so that it costs no throughput.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Happened } from '../domain/store/restore.ts';
import { StoreUnavailable } from '../domain/store/store-unavailable.ts';
import { cancellationFilesIn, FIRST_LINE, fileNameOf, lineOf } from './cancellation-file.ts';
import { writeDurably } from './write-durably.ts';

const DAY_MS = 86_400_000;

export interface CancellationLog {
  /** Rejects where it could not be written lately: then nothing should be cancelled. */
  ready(): Promise<void>;
  /** Resolves after it was synced. */
  add(cancelled: Happened): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface OpenFile {
  readonly day: string;
  readonly handle: FileHandle;
}

export function createCancellationLog(
  dataDir: string,
  clock: () => number,
  keepMs: number,
): CancellationLog {
  let waiting: Waiting[] = [];
  let file: OpenFile | undefined;
  let writing: Promise<void> | undefined;
  let hasFailed = false;

  async function fileOfToday(): Promise<FileHandle> {
    const day = new Date(clock()).toISOString().slice(0, 10);
    if (file?.day === day) return file.handle;
    await closeFile();
    removeOld(dataDir, clock() - keepMs);
    const path = join(dataDir, fileNameOf(day, randomBytes(4).toString('hex')));
    // Never without its first line, whenever the power is cut.
    writeDurably(path, FIRST_LINE);
    const handle = await open(path, 'a');
    file = { day, handle };
    return handle;
  }

  async function closeFile(): Promise<void> {
    const { handle } = file ?? {};
    file = undefined;
    await handle?.close();
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting;
      waiting = [];
      try {
        const handle = await fileOfToday();
        await handle.appendFile(some.map(({ line }) => line).join(''));
        await handle.datasync();
        hasFailed = false;
        for (const { resolve } of some) resolve();
      } catch (cause) {
        hasFailed = true;
        // Half a line may be at its end: the next one goes into another file.
        await closeFile().catch(() => undefined);
        const error = new StoreUnavailable('the file of cancellations could not be written', {
          cause,
        });
        for (const { reject } of some) reject(error);
      }
    }
    writing = undefined;
  }

  function write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ line, resolve, reject });
      writing ??= writeWaiting();
    });
  }

  return {
    ready: () => (hasFailed ? write('') : Promise.resolve()),
    add: (cancelled) => write(lineOf(cancelled)),
    async close() {
      await writing;
      await closeFile();
    },
  };
}

/** A whole day later: files are named by the day on which they were begun. */
function removeOld(dataDir: string, before: number): void {
  for (const { name, day } of cancellationFilesIn(dataDir)) {
    if (day + 2 * DAY_MS < before) rmSync(join(dataDir, name), { force: true });
  }
}
