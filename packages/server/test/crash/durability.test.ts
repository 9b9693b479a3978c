import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { getToken } from '../helpers/http/api.ts';
import {
  createClient,
  type ServerProcess,
  startServerProcess,
} from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { emptyLedger, startLoad } from './load.ts';
import { CANCELLED, CREATED, canTrace, durabilityOf, readTrace, STRACE } from './system-calls.ts';

const traceable = canTrace();
if (!traceable) console.log('skipped: strace is not installed or may not trace here');

let folder: TemporaryFolder;
let server: ServerProcess | undefined;

beforeAll(() => {
  folder = makeTemporaryFolder();
});
afterAll(async () => {
  await server?.kill('SIGKILL');
  folder.remove();
});

describe.skipIf(!traceable)('under a system-call trace', () => {
  it('no 201 is sent before the sync of the WAL that follows its insert, no 202 before that of its cancellation', async () => {
    const traceFile = `${folder.path}/trace`;
    const options = { dataDir: `${folder.path}/data`, port: await freePort() };
    const credentials = createClient(options);
    server = await startServerProcess({ ...options, under: [...STRACE, '-o', traceFile] });
    const ledger = emptyLedger();

    // One at a time, where nothing can hide behind a neighbour's sync; then many at once.
    for (const [workers, answers] of [
      [1, 20],
      [16, 100],
    ] as const) {
      const load = startLoad(server.url, await getToken(credentials), ledger, workers);
      await load.acknowledged(answers);
      await load.stop();
    }
    await server.kill('SIGTERM');
    const trace = await readTrace(traceFile, server.child.pid ?? 0);

    const tooEarly = (ids: readonly string[], promised: typeof CREATED) =>
      ids
        .map((id) => ({ id, ...durabilityOf(trace, id, promised) }))
        .filter(({ inserted, synced, answered }) => {
          const inOrder = 0 <= inserted && inserted < synced && synced < answered;
          return !inOrder;
        });
    const [created, cancelled] = [[...ledger.created.keys()], [...ledger.cancelled]];
    expect(created.length).toBeGreaterThan(80);
    expect(tooEarly(created, CREATED)).toEqual([]);
    expect(cancelled.length).toBeGreaterThan(0);
    expect(tooEarly(cancelled, CANCELLED)).toEqual([]);
  }, 120_000);
});
