import type { FileHandle } from 'node:fs/promises';

const SIZE = 65_536;

/** All bytes from the beginning. A stream would close the file where its reader ends early. */
export async function* readChunks(file: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(SIZE), 0, SIZE, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
