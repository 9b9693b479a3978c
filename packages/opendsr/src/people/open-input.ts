// A file of people, or standard input. It is read twice: first all of it is checked, then it is sent.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fileFailure, usageFailure } from '../failure.ts';
import { readChunks } from '../read-chunks.ts';
import { UnreadableInput } from './read-csv.ts';

export interface Input {
  /** For messages. */
  readonly name: string;
  /** The text from the beginning. Throws UnreadableInput. */
  text(): AsyncIterable<string>;
  /** SHA-256 of the salt and all bytes. */
  digest(salt: string): Promise<string>;
  /** Whether the file is still the one that was opened. */
  isUnchanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** Standard input cannot be read twice, and identities are not written to a disk for it. */
const MAX_STDIN_BYTES = 64 * 1024 * 1024;

export async function openFile(path: string): Promise<Input> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw fileFailure(path, error);
  }
  const opened = await file.stat();
  if (!opened.isFile()) {
    await file.close();
    throw usageFailure(`${path} is not a file; for a pipe, use --file -`);
  }
  return {
    name: path,
    text: () => decode(readChunks(file)),
    digest: (salt) => digestOf(readChunks(file), salt),
    async isUnchanged() {
      const now = await file.stat();
      return now.size === opened.size && now.mtimeMs === opened.mtimeMs;
    },
    close: () => file.close(),
  };
}

export async function openStdin(stdin: Readable): Promise<Input> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_STDIN_BYTES) {
      throw usageFailure('standard input has more than 64 MiB; write it to a file and use --file');
    }
    chunks.push(bytes);
  }
  return {
    name: 'standard input',
    text: () => decode(chunks),
    digest: (salt) => digestOf(chunks, salt),
    isUnchanged: async () => true,
    close: async () => undefined,
  };
}

async function digestOf(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  salt: string,
): Promise<string> {
  const hash = createHash('sha256').update(salt);
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** UTF-8 alone, with or without a byte order mark: in another encoding the names would be of other people. */
async function* decode(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) {
      throw new UnreadableInput('it is not UTF-8; convert it, such as with iconv');
    }
    throw error;
  }
}
