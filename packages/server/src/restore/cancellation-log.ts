// Before this node answers a cancellation with 202, it syncs the cancellation to a file outside the store: a
// restored backup does not have it. It is written after the commit, so that everything in the file was
// cancelled, and synced together with the next commit, so that it costs little throughput. Cancellations of one
// event-loop iteration, or that arrive during a sync, share one sync.
import { randomBytes } from 'node:crypto';
import { close, closeSync, fdatasync, openSync, rmSync, write } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Happened } from '../domain/store/restore.ts';
import { StoreUnavailable } from '../domain/store/store-unavailable.ts';
import { DAY_MS } from '../domain/time-units.ts';
import { writeDurably } from '../files/write-durably.ts';
import { cancellationFilesIn, FIRST_LINE, fileNameOf, lineOf } from './cancellation-file.ts';
import { createHeadFile } from './head-file.ts';

const closeFile = promisify(close);

export interface CancellationLog {
  /** Rejects if writing failed lately and still fails: then nothing should be cancelled. */
  ready(): Promise<void>;
  /** Resolves after the sync. Lines that could not be written before are written first. */
  add(cancelled: Happened): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export function createCancellationLog(
  dataDir: string,
  clock: () => number,
  keepMs: () => number,
): CancellationLog {
  let waiting: Waiting[] = [];
  let file: { readonly day: string; readonly descriptor: number } | undefined;
  let isWriting = false;
  let hasFailed = false;
  /** Lines of cancellations that are in the store but not in a file yet. */
  let owed = '';
  let whenWritten: (() => void)[] = [];
  let latest = latestIn(dataDir);

  /** Never before the newest day in this folder: a file dated by a slow clock would soon be removed for its age. */
  function today(): string {
    latest = Math.max(latest, clock());
    return new Date(latest).toISOString().slice(0, 10);
  }

  function fileOfToday(): number {
    const day = today();
    if (file?.day === day) return file.descriptor;
    leaveFile();
    removeOld(dataDir, clock(), keepMs());
    const path = join(dataDir, fileNameOf(day, randomBytes(4).toString('hex')));
    // Written durably, so that the file has its first line even after a power cut.
    writeDurably(path, FIRST_LINE);
    file = { day, descriptor: openSync(path, 'a') };
    return file.descriptor;
  }

  function leaveFile(): void {
    const { descriptor } = file ?? {};
    file = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting;
      waiting = [];
      const text = owed + some.map(({ line }) => line).join('');
      try {
        await writeAndSync(fileOfToday(), text);
        hasFailed = false;
        owed = '';
        for (const { resolve } of some) resolve();
      } catch (cause) {
        hasFailed = true;
        owed = text;
        // The file may end with half a line, so the next line goes into another file.
        leaveFile();
        const message = 'the file of cancellations could not be written';
        const error = new StoreUnavailable(message, { cause });
        for (const { reject } of some) reject(error);
      }
    }
    isWriting = false;
    for (const done of whenWritten) done();
    whenWritten = [];
  }

  function append(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ line, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      setImmediate(() => void writeWaiting());
    });
  }

  return {
    ready: () => (hasFailed ? append('') : Promise.resolve()),
    add: (cancelled) => append(lineOf(cancelled)),
    async close() {
      if (isWriting) await new Promise<void>((resolve) => whenWritten.push(resolve));
      if (hasFailed) await append('').catch(() => undefined);
      const { descriptor } = file ?? {};
      file = undefined;
      if (descriptor !== undefined) await closeFile(descriptor);
    },
  };
}

/** The latest time known from the files beside the store. */
function latestIn(dataDir: string): number {
  const days = cancellationFilesIn(dataDir).map(({ day }) => day);
  const heads = createHeadFile(dataDir)
    .read()
    .heads.map(({ time }) => time);
  return Math.max(0, ...days.filter(Number.isFinite), ...heads);
}

/** Uses callbacks, which cost less than the promises of a file handle. */
function writeAndSync(descriptor: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, (error, written) => {
      if (error !== null) return reject(error);
      if (written < bytes.length) return reject(new Error('the disk is full'));
      fdatasync(descriptor, (failure) => (failure === null ? resolve() : reject(failure)));
    });
  });
}

/**
 * Keeps a day more, because files are named by the day on which they were begun. If the clock is suddenly weeks ahead
 * of the newest file, it may be wrong: then the time a week after that file is used instead.
 */
function removeOld(dataDir: string, now: number, keepMs: number): void {
  const files = cancellationFilesIn(dataDir);
  const newest = Math.max(...files.map(({ day }) => day));
  const before = Math.min(now, newest + 7 * DAY_MS) - keepMs;
  for (const { name, day } of files) {
    if (day + 2 * DAY_MS < before) rmSync(join(dataDir, name), { force: true });
  }
}
