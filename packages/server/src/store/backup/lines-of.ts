import { BackupDamaged } from './backup-format.ts';

/** Longer than any row. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const LINE_FEED = 10;

/** Splits at line feeds only. What comes after the last one is half a line, and is not passed on. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      const last = bytes.subarray(from, end);
      yield (rest.length === 0 ? last : Buffer.concat([...rest, last])).toString('utf8');
      rest = [];
      restBytes = 0;
      from = end + 1;
    }
    if (from < bytes.length) rest.push(bytes.subarray(from));
    restBytes += bytes.length - from;
    if (restBytes > MAX_LINE_BYTES)
      throw new BackupDamaged('it has a line that is too long for a row');
  }
}
