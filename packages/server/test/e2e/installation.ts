// An installation as an operator has it: a folder, a configuration file, a server process.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, getToken, postJson } from '../helpers/api.ts';
import { freePort } from '../helpers/free-port.ts';
import { identity, requestBody } from '../helpers/request-body.ts';
import {
  createClient,
  type ProcessOptions,
  runUnwrite,
  type ServerProcess,
  startServerProcess,
} from '../helpers/server-process.ts';

export interface TestInstallation {
  readonly server: () => ServerProcess;
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Answers the id; throws for anything but 201. */
  submit(controllerId: string, identities: readonly [string, string][]): Promise<string>;
  status(controllerId: string, id: string): Promise<string>;
  cancel(controllerId: string, id: string): Promise<number>;
  /** `unwrite … --json`. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  command(...args: string[]): any;
}

export async function makeInstallation(
  folder: string,
  config: string,
  environment: Record<string, string> = {},
): Promise<TestInstallation> {
  const file = join(folder, 'unwrite.config.yaml');
  writeFileSync(file, config);
  const options: ProcessOptions = {
    dataDir: join(folder, 'data'),
    port: await freePort(),
    environment: { UNWRITE_CONFIG: file, UNWRITE_RETRY_DELAY: '1s', ...environment },
  };
  const tokens = new Map<string, Promise<string>>();
  let server: ServerProcess | undefined;

  function running(): ServerProcess {
    if (server === undefined) throw new Error('the server is not running');
    return server;
  }

  function token(controllerId: string): Promise<string> {
    const known = tokens.get(controllerId) ?? getToken(createClient(options, controllerId));
    tokens.set(controllerId, known);
    return known;
  }

  return {
    server: running,
    async start() {
      server = await startServerProcess(options);
    },
    async kill(signal) {
      await server?.kill(signal);
      server = undefined;
    },
    async submit(controllerId, identities) {
      const id = randomUUID();
      const body = requestBody({
        subject_request_id: id,
        subject_identities: identities.map(([type, value]) => identity(type, value)),
      });
      const answer = await postJson(`${running().url}/requests`, body, await token(controllerId));
      if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${answer.text}`);
      return id;
    },
    async status(controllerId, id) {
      const answer = await call(`${running().url}/requests/${id}`, {
        token: await token(controllerId),
      });
      return answer.body.request_status;
    },
    async cancel(controllerId, id) {
      const answer = await call(`${running().url}/requests/${id}`, {
        method: 'DELETE',
        token: await token(controllerId),
      });
      return answer.status;
    },
    command(...args) {
      const result = runUnwrite([...args, '--json'], options);
      if (result.exitCode !== 0) throw new Error(`unwrite ${args.join(' ')}: ${result.stderr}`);
      return JSON.parse(result.stdout);
    },
  };
}

/** At most so many at once, in the order given. */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return results;
}
