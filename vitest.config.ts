import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/*.test.mjs'],
    globalSetup: ['packages/server/test/helpers/lend-servers.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Real servers and databases on two cores: many tests wait for one, so a third file fits in between.
    maxWorkers: 3,
  },
});
