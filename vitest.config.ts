import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { memoryFolder } from './packages/server/test/helpers/memory-folder.ts';
import SlowFirst from './packages/server/test/helpers/slow-first.ts';

// Workers, the database servers and whatever tests start have it from here; a TMPDIR that is given is kept.
const folder = memoryFolder();
if (folder !== undefined) process.env.TMPDIR ??= folder;

// For packages/server/test/helpers/run-notes.ts, whichever process notes something.
process.env.UNWRITE_TEST_NOTES ??= join(tmpdir(), `unwrite-test-notes-${process.pid}`);

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/*.test.mjs'],
    globalSetup: [
      'packages/server/test/helpers/databases/lend-servers.ts',
      'scripts/bundle-for-tests.mjs',
    ],
    setupFiles: ['packages/server/test/helpers/set-up-file.ts'],
    // Half of a file's processor time went into a process of its own and into loading the same modules. No
    // module keeps anything that another file's tests would see: what helpers keep, at-end-of-file.ts closes.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', './scripts/test-reporter.mjs'],
    // They end what hangs; a busy machine must not fail a test.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What is polled comes from real servers and browsers; a second is short where three files share two cores.
    expect: { poll: { timeout: 45_000 } },
    // Real servers and databases on two cores: many tests wait for one, so a third file fits in between.
    maxWorkers: 3,
  },
});
