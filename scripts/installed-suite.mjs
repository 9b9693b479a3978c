// The tests that start processes, on the server's package as it is packed and installed, on each version of Node.js that
// it is for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode, installPacked, pack } from './pack.mjs';
import { WITHOUT_LONG } from './test-files.mjs';

const NODES = ['24.21.0', '26.10.0'];
const below = (...names) => names.map((name) => `packages/server/test/${name}`);

/**
 * Tests that need a command in their own process: one is given a terminal there; one reads the files of a store that a
 * server in this process has open, which ends this process's locks on them, so that a command in another process would
 * take itself for the last one to use the store.
 */
const ONLY_HERE = ['cli/shared/on-terminal', 'cli/request/erase-again'];
/** Each command is a process of its own. */
const PATIENT = ['--testTimeout=180000', '--hookTimeout=180000'];
const RUNS = [
  [
    ...PATIENT,
    ...WITHOUT_LONG,
    ...below('cli', 'config', 'crash', 'docs/run-commands', 'e2e', 'leaks.test', 'nodes'),
    ...ONLY_HERE.flatMap((name) => ['--exclude', `**/${name}.test.ts`]),
  ],
  [
    ...PATIENT,
    ...below('cli/server/demo-shop.long', 'cli/server/beside-a-server.long', 'crash/stop.long'),
  ],
];

export function runsOnInstalled() {
  const folder = mkdtempSync(join(tmpdir(), 'unwrite-installed-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const bin = installPacked(pack('server', folder), folder);
  return NODES.flatMap((version) => {
    const env = { UNWRITE_TEST_BIN: bin, UNWRITE_TEST_NODE: fetchNode(version, folder) };
    return RUNS.map((args) => ({ args, env }));
  });
}
