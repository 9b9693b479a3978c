import { spawnSync } from 'node:child_process';

/** Not on every machine: tests that need it are skipped there. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
