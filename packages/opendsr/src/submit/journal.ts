// What a run has done, so that the next one carries on. An id is on the disk before it is sent: after a crash the same
// person is submitted under the same id, and the processor answers 409 if it has the request already.
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CommandFailure, fileFailure, usageFailure, writeFailure } from '../failure.ts';
import { readChunks } from '../read-chunks.ts';
import {
  type IdsLine,
  isSubmitted,
  type JournalHeader,
  type Outcome,
  type OutcomeLine,
  readLine,
} from './journal-lines.ts';
import { createLineArray } from './line-array.ts';

export interface Journal {
  readonly header: JournalHeader;
  /** The id of a person, the same in every run. It is synced when this resolves. */
  idOf(number: number): Promise<string>;
  isSubmitted(number: number): boolean;
  add(line: OutcomeLine): Promise<void>;
  /** The last outcome of each person, in the order of the people. */
  outcomes(): AsyncGenerator<OutcomeLine & { readonly id: string }>;
  close(): Promise<void>;
}

const BLOCK = 256;
const ID_BYTES = 16;

/** `makeHeader` is called with the salt of the journal that is there, or with none. */
export async function openJournal(
  path: string,
  makeHeader: (found: JournalHeader | undefined) => Promise<JournalHeader>,
): Promise<Journal> {
  const file = await open(path, 'a+', 0o600).catch((error: unknown) => {
    throw fileFailure(path, error, 'be opened');
  });
  try {
    const known = await readJournal(path, file);
    const header = await makeHeader(known.header);
    let { size } = known;
    // A line that was cut off by a crash is not there.
    await file.truncate(size);
    const ids = createIds(known.ids);
    const { outcomes } = known;
    let waiting = '';
    let writing: Promise<void> | undefined;
    let failed: CommandFailure | undefined;
    let allocating: Promise<void> | undefined;

    /** Lines that come while others are written share the next write. Gives where the line is. */
    function append(line: object): { readonly at: number; readonly written: Promise<void> } {
      const text = `${JSON.stringify(line)}\n`;
      const at = size;
      size += Buffer.byteLength(text);
      waiting += text;
      writing ??= writeWaiting().finally(() => {
        writing = undefined;
      });
      return { at, written: writing };
    }

    async function writeWaiting(): Promise<void> {
      while (waiting !== '') {
        const text = waiting;
        waiting = '';
        await orFail(() => file.appendFile(text));
      }
    }

    /** Nothing is written after a failure: what a full disk has cut off must stay the last line. */
    async function orFail(write: () => Promise<void>): Promise<void> {
      if (failed !== undefined) throw failed;
      await write().catch((error: unknown) => {
        failed = writeFailure(path, error);
        throw failed;
      });
    }

    async function allocate(): Promise<void> {
      const block: IdsLine = {
        from: ids.count() + 1,
        ids: Array.from({ length: BLOCK }, () => randomUUID()),
      };
      await append(block).written;
      await orFail(() => file.datasync());
      ids.add(block);
    }

    if (known.header === undefined) {
      await append(header).written;
      await orFail(() => file.datasync());
      await syncFolder(dirname(path));
    }
    return {
      header,
      async idOf(number) {
        while (number > ids.count()) {
          allocating ??= allocate().finally(() => {
            allocating = undefined;
          });
          await allocating;
        }
        return ids.at(number);
      },
      isSubmitted: (number) => outcomes.isMarked(number),
      async add(line) {
        const { at, written } = append(line);
        outcomes.set(line.number, at, isSubmitted(line));
        await written;
      },
      async *outcomes() {
        await writing;
        for (let number = 1; number <= outcomes.last(); number++) {
          const at = outcomes.get(number);
          if (at === undefined) continue;
          const line = readLine(await lineAt(file, at)) as OutcomeLine;
          yield { ...line, id: number <= ids.count() ? ids.at(number) : '' };
        }
      },
      async close() {
        await writing;
        if (failed === undefined) await file.datasync();
        await file.close();
      },
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** So that a new file is still there after a power cut. Windows cannot open folders, and needs no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

type File = Awaited<ReturnType<typeof open>>;

interface Known {
  readonly header: JournalHeader | undefined;
  readonly ids: IdsLine[];
  readonly outcomes: ReturnType<typeof createLineArray>;
  /** Up to the end of the last whole line. */
  readonly size: number;
}

async function readJournal(path: string, file: File): Promise<Known> {
  const ids: IdsLine[] = [];
  const outcomes = createLineArray();
  let header: JournalHeader | undefined;
  let size = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(file)) {
    rest = Buffer.concat([rest, chunk]);
    // Also where there is no whole line: what comes next removes a header that was cut off.
    if (size === 0 && !isHeader(rest)) throw notJournal(path);
    let from = 0;
    for (let end = rest.indexOf(10, from); end >= 0; end = rest.indexOf(10, from)) {
      const line = readLine(rest.toString('utf8', from, end));
      if (line === undefined || (header === undefined) !== 'opendsr' in line) {
        throw notJournal(path);
      }
      if ('opendsr' in line) header = line;
      else if ('ids' in line) ids.push(line);
      else outcomes.set(line.number, size, isSubmitted(line as Outcome));
      size += end + 1 - from;
      from = end + 1;
    }
    rest = rest.subarray(from);
  }
  // Before the first id nobody was sent: the file may be corrected then, and so may what is said about it.
  if (ids.length === 0) return { header: undefined, ids, outcomes: createLineArray(), size: 0 };
  return { header, ids, outcomes, size };
}

const HEADER = Buffer.from('{"opendsr":"journal",');
const isHeader = (bytes: Buffer) =>
  HEADER.subarray(0, bytes.length).equals(bytes.subarray(0, HEADER.length));
const notJournal = (path: string) =>
  usageFailure(
    `${path} is not a journal of this command, or was changed; name another with --journal`,
  );

async function lineAt(file: File, at: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, at);
  return buffer.toString('utf8', 0, buffer.subarray(0, bytesRead).indexOf(10));
}

/** 16 bytes for each: a text would take four times as much. */
function createIds(blocks: readonly IdsLine[]) {
  let bytes = Buffer.alloc(BLOCK * ID_BYTES);
  let count = 0;

  function at(number: number): string {
    const text = bytes.toString('hex', (number - 1) * ID_BYTES, number * ID_BYTES);
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  function add({ from, ids }: IdsLine): void {
    if (from !== count + 1) throw usageFailure('the journal has a gap; it was changed');
    while ((count + ids.length) * ID_BYTES > bytes.length) {
      bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
    }
    for (const id of ids) {
      bytes.write(id.replaceAll('-', ''), count++ * ID_BYTES, 'hex');
      // Of what is no id, a part would be kept, and sent as another one.
      if (at(count) !== id)
        throw usageFailure('the journal has an id that is none; it was changed');
    }
  }
  for (const block of blocks) add(block);
  return { add, count: () => count, at };
}
