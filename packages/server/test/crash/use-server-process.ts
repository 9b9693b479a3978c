// A server process of its own for each test, and a client of it.
import { afterEach, beforeEach } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { type Credentials, call, getToken } from '../helpers/http/api.ts';
import {
  createClient,
  type ProcessOptions,
  type ServerProcess,
  startServerProcess,
} from '../helpers/servers/server-process.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

export function useServerProcess() {
  let folder: TemporaryFolder;
  let options: ProcessOptions;
  let credentials: Credentials;
  let server: ServerProcess;

  beforeEach(async () => {
    folder = makeTemporaryFolder();
    options = { dataDir: folder.path, port: await freePort() };
    credentials = createClient(options);
    server = await startServerProcess(options);
  });
  afterEach(async () => {
    await server.kill('SIGKILL');
    folder.remove();
  });

  return {
    server: () => server,
    options: () => options,
    token: (): Promise<string> => getToken(credentials),
    async startAgain(): Promise<void> {
      server = await startServerProcess(options);
    },
    /** The answer of the first look at readiness that is not 200. */
    async untilNotReady(): Promise<{ status: number; body: { reasons: string[] } }> {
      for (;;) {
        const answer = await call(`${server.url}/health/ready`);
        if (answer.status !== 200) return answer;
      }
    },
  };
}
