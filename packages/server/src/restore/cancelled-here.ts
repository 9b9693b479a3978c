// Whether this node has cancelled a request that is about to start. The store may say otherwise, but the cancellation
// was answered with 202.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestKey } from '../domain/request/request.ts';
import { keyText } from '../domain/request/same-request.ts';
import type { Happened } from '../domain/store/restore.ts';
import { requireRegular } from '../files/regular.ts';
import { cancellationFilesIn, parseLine, readCancellations } from './cancellation-file.ts';

const ID = /"subject_request_id":"([0-9a-fA-F-]+)"/g;
const LINE_FEED = 10;
/** Longer than any line. */
const LINE_BYTES = 512;
/** The place of a line is one number, because there may be millions of them: its file, and its offset below this. */
const FILE_BYTES = 2 ** 40;

/**
 * Returns those of the requests that are in the files of this folder. Reads only what is new since the last call, and the
 * lines that may be about these requests: after a restore it is asked about every cancellation in the log, some at a time.
 */
export function createCancelledHere(
  dataDir: string,
): (requests: readonly RequestKey[]) => Promise<Happened[]> {
  const names: string[] = [];
  const readUntil = new Map<string, number>();
  // By a few bytes of each id.
  const places = new Map<number, number | number[]>();

  function refresh(): void {
    for (const { name } of cancellationFilesIn(dataDir)) {
      const from = readUntil.get(name);
      if (from === undefined) names.push(name);
      const added = wholeLinesFrom(join(dataDir, name), from ?? 0);
      if (added.length > 0) note(added, names.indexOf(name) * FILE_BYTES + (from ?? 0));
      readUntil.set(name, (from ?? 0) + added.length);
    }
  }

  function note(added: Buffer, start: number): void {
    // One character for each byte, so that positions are offsets.
    const text = added.toString('latin1');
    for (const { 1: id = '', index } of text.matchAll(ID)) {
      const place = start + text.lastIndexOf('\n', index) + 1;
      const known = places.get(markOf(id));
      if (Array.isArray(known)) known.push(place);
      else places.set(markOf(id), known === undefined ? place : [known, place]);
    }
  }

  return async (requests) => {
    if (requests.length === 0) return [];
    refresh();
    const marks = new Set(requests.map(({ subjectRequestId }) => markOf(subjectRequestId)));
    const suspects = [...marks].flatMap((mark) => places.get(mark) ?? []);
    if (suspects.length === 0) return [];
    const wanted = new Set(requests.map(keyText));
    const isWanted = (one: Happened) => wanted.has(keyText(one));
    const lines = readLines(dataDir, names, suspects);
    const whole = lines.flatMap((line) => parseLine(line) ?? []);
    if (whole.length === lines.length) return whole.filter(isWanted);
    // Damaged lines are understood by the lines before them.
    const found: Happened[] = [];
    await readCancellations(dataDir, 0, async (some) => {
      found.push(...some.filter(isWanted));
    });
    return found;
  };
}

function markOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(-12), 16);
}

function readLines(dataDir: string, names: readonly string[], places: number[]): string[] {
  const byFile = Map.groupBy(places, (place) => Math.floor(place / FILE_BYTES));
  return [...byFile].flatMap(([file, inFile]) =>
    withFile(join(dataDir, names[file] ?? ''), [], (descriptor) =>
      inFile.map((place) => {
        const bytes = readBytes(descriptor, place % FILE_BYTES, LINE_BYTES);
        const end = bytes.indexOf(LINE_FEED);
        return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
      }),
    ),
  );
}

/** Leaves out a last line that may be incomplete. */
function wholeLinesFrom(path: string, from: number): Buffer {
  return withFile(path, Buffer.alloc(0), (file) => {
    const read = readBytes(file, from, Math.max(0, fstatSync(file).size - from));
    return read.subarray(0, read.lastIndexOf(LINE_FEED) + 1);
  });
}

function readBytes(file: number, from: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  return bytes.subarray(0, readSync(file, bytes, 0, count, from));
}

function withFile<T>(path: string, without: T, read: (file: number) => T): T {
  let file: number;
  try {
    requireRegular(path);
    file = openSync(path, 'r');
  } catch {
    // Removed for its age, or unreadable: the watch reports files that cannot be read.
    return without;
  }
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}
