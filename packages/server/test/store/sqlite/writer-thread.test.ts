import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWriterThread } from '../../../src/store/sqlite/writer-thread.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';

const OPTIONS = { databasePath: '', masterKeys: [] };

let folder: TemporaryFolder;
beforeEach(() => {
  folder = makeTemporaryFolder();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  folder.remove();
});

/** Far longer than it is waited before a writer is replaced. */
const passAMinute = () => vi.advanceTimersByTimeAsync(60_000);

/** A writer that says it is ready and dies of the first message that is not the end. */
function mortalWriter(): URL {
  const path = join(folder.path, 'mortal.mjs');
  writeFileSync(
    path,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', (message) => {
       if (message === null) parentPort.close();
       else process.exit(1);
     });
     parentPort.postMessage('ready');`,
  );
  return pathToFileURL(path);
}

describe('a writer thread that dies', () => {
  it('rejects what it had in hand, and is replaced', async () => {
    const failures: string[] = [];
    const writer = await startWriterThread(mortalWriter(), OPTIONS, (it) => failures.push(it));
    await expect(writer.run([])).rejects.toThrow('the writer stopped');
    expect(failures).toHaveLength(1);
    expect(writer.isAlive()).toBe(false);
    await passAMinute();
    await vi.waitUntil(() => writer.isAlive(), { timeout: 10_000 });
    await writer.close();
  });

  it('can be closed before it was replaced, and nothing is left behind', async () => {
    const writer = await startWriterThread(mortalWriter(), OPTIONS, () => undefined);
    await expect(writer.run([])).rejects.toThrow();
    await writer.close();
    await passAMinute();
    expect(writer.isAlive()).toBe(false);
    expect(await writer.checkpoint('TRUNCATE')).toBe(false);
  });
});
