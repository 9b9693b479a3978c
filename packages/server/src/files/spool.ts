// Bytes that are kept in a file until they are read once, so that memory does not grow with them. The file has no name
// any more once it is open, so it is gone however the process ends (on Windows: when it is closed).
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Spool {
  readonly size: number;
  append(bytes: Uint8Array): Promise<void>;
  chunks(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const CHUNK = 65_536;

export async function openSpool(folder: string): Promise<Spool> {
  const path = join(folder, `spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  const remove = () => rm(path, { force: true }).catch(() => undefined);
  await remove();
  let written = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;

  async function flush(): Promise<void> {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, written);
      done += bytesWritten;
      written += bytesWritten;
    }
  }

  return {
    get size() {
      return written + waitingBytes;
    },
    async append(bytes) {
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= CHUNK) await flush();
    },
    async *chunks() {
      await flush();
      for (let position = 0; position < written; ) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, position);
        if (bytesRead === 0) throw new Error('a file of our own was cut off');
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    async close() {
      await file.close();
      await remove();
    },
  };
}
