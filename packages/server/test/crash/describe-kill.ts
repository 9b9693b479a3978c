import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { call, getToken } from '../helpers/http/api.ts';
import {
  createClient,
  type ProcessOptions,
  type ServerProcess,
  startServerProcess,
} from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { emptyLedger, startLoad } from './load.ts';
import { inspectStore, WHOLE } from './whole-store.ts';

const WORKERS = 24;

/** Answers to wait for before the kill: in the middle of a batch, between two, after a checkpoint. */
const MIN_ANSWERS = 40;
const MORE_ANSWERS = 600;
/** One of the workers has had more than its four creates then: the cancellation that follows them, too. */
const WITH_CANCELLATION = 4 * WORKERS + 1;

export function describeKill(rounds: number): void {
  let folder: TemporaryFolder;
  let options: ProcessOptions;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    options = { dataDir: folder.path, port: await freePort() };
  });
  afterAll(async () => {
    await server?.kill('SIGKILL');
    folder.remove();
  });

  describe('a server that is killed with -9 under load, again and again', () => {
    const title = `has everything that it acknowledged, and nothing half-written, after each of ${rounds} restarts`;
    it(title, { timeout: 60_000 + rounds * 60_000 }, async () => {
      const credentials = createClient(options);
      const ledger = emptyLedger();

      server = await startServerProcess(options);
      for (let round = 1; round <= rounds; round++) {
        const token = await getToken(credentials);
        const load = startLoad(server.url, token, ledger, WORKERS);
        const min = round === 1 ? WITH_CANCELLATION : MIN_ANSWERS;
        await load.acknowledged(min + Math.floor(Math.random() * MORE_ANSWERS));
        await server.kill('SIGKILL');
        await load.stop();

        server = await startServerProcess(options);
        expect(inspectStore(folder.path, 'acme', ledger), `round ${round}`).toEqual(WHOLE);
      }

      if (process.env.UNWRITE_TEST_CRASH_ROUNDS !== undefined)
        process.stdout.write(
          `kills of the server: ${rounds}; created ${ledger.created.size}, cancelled ${ledger.cancelled.size}\n`,
        );
      expect(ledger.unexpected).toEqual([]);
      expect(ledger.cancelled.size).toBeGreaterThan(0);
      const token = await getToken(credentials);
      const sample = [...ledger.created.keys()].slice(-200);
      const answers = await Promise.all(
        sample.map((id) => call(`${server?.url}/requests/${id}`, { token })),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    });
  });
}
