// Whether a worker may start requests, by the head that its node has seen last.
import { expect, it, onTestFinished } from 'vitest';
import { createStartGuard, LOOKS } from '../../src/app/start-guard.ts';
import { createHeadFile } from '../../src/restore/head-file.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const HEAD = { headNo: 3, hash: 'ab'.repeat(32), time: 1 };

function workerOf({ waitMs = 0, hasSeenHead = false }) {
  const [folder, dataDir] = [makeTemporaryFolder(), makeTemporaryFolder()];
  const store = withTestMacs(openSqliteStore(folder.path, () => 1000));
  onTestFinished(async () => {
    await store.close();
    folder.remove();
    dataDir.remove();
  });
  if (hasSeenHead) createHeadFile(dataDir.path).write(HEAD);
  const guard = createStartGuard({
    restores: store.restores,
    dataDir: dataDir.path,
    waitMs,
    lookMs: 10_000,
    signedHead: async () => undefined,
    rememberRequestsMs: 1000,
    clock: () => 1000,
    warn: () => undefined,
  });
  return { guard, store };
}

it('starts requests if the store lacks nothing, unless other nodes are to compare first', async () => {
  expect(await workerOf({}).guard.mayStart()).toBe(true);
  expect(await workerOf({ waitMs: 60_000 }).guard.mayStart()).toBe(false);
});

it('starts nothing while the store lacks a head, nor as soon as that is confirmed', async () => {
  const { guard, store } = workerOf({ hasSeenHead: true });
  expect(await guard.mayStart()).toBe(false);
  expect((await store.restores.state()).openNo).not.toBeNull();
  expect(await guard.mayStart()).toBe(false);
  await store.restores.confirm(true, { actor: 'operator:olga', now: 1001 });
  expect(LOOKS).toBeGreaterThan(1);
  expect(await guard.mayStart()).toBe(false);
});
