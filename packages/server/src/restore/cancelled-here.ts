// Whether this node has cancelled a request that is about to start. The store may say otherwise, but the cancellation
// was answered with 202.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestKey } from '../domain/request/request.ts';
import { keyText } from '../domain/request/same-request.ts';
import type { Happened } from '../domain/store/restore.ts';
import { requireRegular } from '../files/regular.ts';
import { cancellationFilesIn, readCancellations } from './cancellation-file.ts';

const ID = /"subject_request_id":"([0-9a-fA-F-]+)"/g;
const LINE_FEED = 10;

/** Returns those of the requests that are in the files of this folder. Reads only what is new since the last call. */
export function createCancelledHere(
  dataDir: string,
): (requests: readonly RequestKey[]) => Promise<Happened[]> {
  const readUntil = new Map<string, number>();
  // A few bytes of each id: a match is then looked up in the files.
  const marks = new Set<number>();

  function refresh(): void {
    for (const { name } of cancellationFilesIn(dataDir)) {
      const from = readUntil.get(name) ?? 0;
      const added = wholeLinesFrom(join(dataDir, name), from);
      for (const [, id = ''] of added.toString().matchAll(ID)) marks.add(markOf(id));
      readUntil.set(name, from + added.length);
    }
  }

  return async (requests) => {
    if (requests.length === 0) return [];
    refresh();
    const suspects = requests.filter(({ subjectRequestId }) => marks.has(markOf(subjectRequestId)));
    if (suspects.length === 0) return [];
    const wanted = new Set(suspects.map(keyText));
    const found: Happened[] = [];
    await readCancellations(dataDir, 0, async (some) => {
      found.push(...some.filter((one) => wanted.has(keyText(one))));
    });
    return found;
  };
}

const markOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** Leaves out a last line that may be incomplete. */
function wholeLinesFrom(path: string, from: number): Buffer {
  let file: number;
  try {
    requireRegular(path);
    file = openSync(path, 'r');
  } catch {
    // Removed for its age, or unreadable: the watch reports files that cannot be read.
    return Buffer.alloc(0);
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
    const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
    return read.subarray(0, read.lastIndexOf(LINE_FEED) + 1);
  } finally {
    closeSync(file);
  }
}
