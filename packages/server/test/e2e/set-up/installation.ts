// An installation as an operator has it: a folder, a configuration file, a server, and a store in the folder
// or on PostgreSQL. The server and the command line run in this process, or, where one is to be killed or
// watched from outside, in processes of their own.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../cli/run-here.ts';
import { freePort } from '../../helpers/free-port.ts';
import { type Credentials, call, getToken, postJson } from '../../helpers/http/api.ts';
import { identity, requestBody } from '../../helpers/http/request-body.ts';
import { runBeside } from '../../helpers/run-beside.ts';
import { startServerHere } from '../../helpers/servers/server-here.ts';
import {
  type CommandResult,
  environmentOf,
  type ProcessOptions,
  type ServerProcess,
  startServerProcess,
  type TestServer,
} from '../../helpers/servers/server-process.ts';
import {
  DEFAULT_STORE,
  makeTestStore,
  type StoreKind,
  type TestStore,
} from '../../helpers/stores/test-store.ts';
import { until } from '../../helpers/until.ts';

export interface TestInstallation<Server extends TestServer = TestServer> {
  readonly dataDir: string;
  readonly store: TestStore;
  readonly server: () => Server;
  start(): Promise<void>;
  /** Answers how it ended. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Takes effect with the next start. */
  configure(config: string): void;
  /** Of every server that was started here. */
  output(): string;
  /** Answers the id; throws for anything but 201. */
  submit(controllerId: string, identities: readonly [string, string][]): Promise<string>;
  status(controllerId: string, id: string): Promise<string>;
  cancel(controllerId: string, id: string): Promise<number>;
  /** `unwrite … --json` */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  command(...args: string[]): Promise<any>;
  /** `unwrite …` as people read it, however it ends. */
  print(...args: string[]): Promise<CommandResult>;
  untilCompleted(controllerId: string, ids: readonly string[], withinMs?: number): Promise<void>;
}

interface Ways<Server> {
  start(options: ProcessOptions): Promise<Server>;
  run(args: readonly string[], options: ProcessOptions): Promise<CommandResult>;
}

type Given = [
  folder: string,
  config: string,
  environment?: Record<string, string>,
  storeKind?: StoreKind,
];

const RETRY_SECONDS = 0.1;

/** In this process. */
export const makeInstallation = (...given: Given): Promise<TestInstallation> =>
  install(
    {
      start: (options) => startServerHere(options, { retryDelay: RETRY_SECONDS }),
      run: (args, options) => runHere(args, { env: environmentOf(options) }),
    },
    ...given,
  );

/** Each server and each command in a process of its own. */
export const makeProcessInstallation = (
  ...given: Given
): Promise<TestInstallation<ServerProcess>> =>
  install({ start: startServerProcess, run: runBeside }, ...given);

async function install<Server extends TestServer>(
  ways: Ways<Server>,
  ...[folder, config, environment = {}, storeKind = DEFAULT_STORE]: Given
): Promise<TestInstallation<Server>> {
  const file = join(folder, 'unwrite.config.yaml');
  writeFileSync(file, config);
  const dataDir = join(folder, 'data');
  const store = await makeTestStore(storeKind);
  const options: ProcessOptions = {
    dataDir,
    port: await freePort(),
    environment: {
      UNWRITE_CONFIG: file,
      // For those that are processes: the shortest that can be set.
      UNWRITE_RETRY_DELAY: '1s',
      ...store.environment,
      ...environment,
    },
  };
  const tokens = new Map<string, Promise<string>>();
  const started: Server[] = [];
  let server: Server | undefined;

  function running(): Server {
    if (server === undefined) throw new Error('the server is not running');
    return server;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  async function command(...args: string[]): Promise<any> {
    const result = await ways.run([...args, '--json'], options);
    if (result.exitCode !== 0) throw new Error(`unwrite ${args.join(' ')}: ${result.stderr}`);
    return JSON.parse(result.stdout);
  }

  const makeClient = (controllerId: string): Promise<Credentials> =>
    command('client', 'create', '--controller', controllerId);

  function token(controllerId: string): Promise<string> {
    const known = tokens.get(controllerId) ?? makeClient(controllerId).then(getToken);
    tokens.set(controllerId, known);
    return known;
  }

  async function status(controllerId: string, id: string): Promise<string> {
    const answer = await call(`${running().url}/requests/${id}`, {
      token: await token(controllerId),
    });
    return answer.body.request_status;
  }

  return {
    dataDir,
    store,
    server: running,
    async start() {
      server = await ways.start(options);
      started.push(server);
    },
    async kill(signal) {
      const last = server;
      server = undefined;
      return (await last?.kill(signal)) ?? null;
    },
    configure: (changed) => writeFileSync(file, changed),
    output: () => started.map((one) => one.output()).join('\n'),
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
    status,
    async cancel(controllerId, id) {
      const answer = await call(`${running().url}/requests/${id}`, {
        method: 'DELETE',
        token: await token(controllerId),
      });
      return answer.status;
    },
    command,
    print: (...args) => ways.run(args, options),
    async untilCompleted(controllerId, ids, withinMs = 45_000) {
      let open = ids;
      const isDone = async () => {
        const all = await inParallel(open, 16, (id) => status(controllerId, id));
        open = open.filter((_, index) => all[index] !== 'completed');
        return open.length === 0;
      };
      const last = () => running().output().slice(-2000);
      await until(isDone, () => `${open.length} were not completed: ${last()}`, withinMs);
    },
  };
}

/** At most this many at once, in the order given. */
export async function inParallel<T, R>(
  items: readonly T[],
  max: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, lane));
  return results;
}
