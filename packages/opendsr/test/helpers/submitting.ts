// What tests of `opendsr submit` begin with: a processor, and an empty folder for each test.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import {
  makeTemporaryFolder,
  type TemporaryFolder,
} from '../../../server/test/helpers/temporary-folder.ts';
import { startMemoryProcessor } from './processor.ts';
import { opendsr, type RunOptions } from './run.ts';

export async function prepareSubmitting() {
  const processor = await startMemoryProcessor();
  let folder: TemporaryFolder;
  afterAll(() => processor.close());
  beforeEach(() => {
    folder = makeTemporaryFolder();
    processor.requests.clear();
    processor.calls.length = 0;
    processor.fault = undefined;
  });
  afterEach(() => folder.remove());

  const path = (name: string) => join(folder.path, name);
  return {
    processor,
    path,
    read: (name: string) => readFileSync(path(name), 'utf8'),
    write: (name: string, text: string | Buffer) => writeFileSync(path(name), text),
    /** In the folder. */
    submit: (args: readonly string[], options: Partial<RunOptions> = {}) =>
      opendsr(['submit', ...args], {
        cwd: path(''),
        env: processor.environment,
        ...options,
      }),
  };
}
