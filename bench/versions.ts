// This version against another: calls over HTTP, or the whole worker.
//   npx node bench/versions.ts --against FOLDER [--only calls|worker] [--store sqlite|postgres] [--rounds 5] [--requests 5000] [--connections 32]
// `--against`: a checkout of another version with its node_modules. Both run at once on stores of their own, and are
// measured alternately: calls a second, and processor time a call, which is less moved by what else the machine does (Linux).
// `--profiles FOLDER`: this version writes the profiles of its threads there; `bench/steps.ts` reads them.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startGuarded } from '../packages/server/test/helpers/databases/guarded-server.ts';
import { median } from './contest.ts';
import { bodyOf, eachOf, processorTime, startVersion, type Version } from './version.ts';
import { compareWorkers } from './whole-worker.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    only: { type: 'string', default: 'calls' },
    store: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '32' },
    profiles: { type: 'string' },
  },
});
const connections = Number(values.connections);
const requests = Number(values.requests);
const rounds = Number(values.rounds);

const CALLS = ['creates', 'status reads', 'cancels'] as const;
type Call = (typeof CALLS)[number];

interface Measured {
  readonly rates: number[];
  /** Processor time, in microseconds a call. */
  readonly costs: number[];
}
type Caller = Version & { readonly measured: Readonly<Record<Call, Measured>> };

async function time(
  { pid, measured }: Caller,
  what: Call,
  expected: number,
  ids: readonly string[],
  send: (id: string) => Promise<number>,
): Promise<void> {
  const spent = processorTime(pid);
  const begun = performance.now();
  await eachOf(ids, connections, async (id) => {
    const status = await send(id);
    if (status !== expected) throw new Error(`one of the ${what} was answered with ${status}`);
  });
  const { rates, costs } = measured[what];
  rates.push(ids.length / ((performance.now() - begun) / 1000));
  costs.push(((processorTime(pid) - spent) * 1_000_000) / ids.length);
}

async function measureCalls(version: Caller): Promise<void> {
  const ids = Array.from({ length: requests }, () => randomUUID());
  const { call } = version;
  await time(version, 'creates', 201, ids, (id) =>
    call('POST', '/requests', bodyOf(id, `${id}@example.com`)),
  );
  await time(version, 'status reads', 200, ids, (id) => call('GET', `/requests/${id}`));
  await time(version, 'cancels', 202, ids, (id) => call('DELETE', `/requests/${id}`));
}

async function compareCalls(against: string): Promise<void> {
  const server = values.store === 'postgres' ? await startGuarded('durable-postgres') : undefined;
  const start = async (name: string, root: string, schema: string): Promise<Caller> => {
    const environment: Record<string, string> =
      server === undefined
        ? {}
        : { UNWRITE_STORE: `${server.url}postgres`, UNWRITE_STORE_SCHEMA: schema };
    const empty = () => ({ rates: [], costs: [] });
    const measured = { creates: empty(), 'status reads': empty(), cancels: empty() };
    return { ...(await startVersion({ name, root, connections, environment })), measured };
  };
  const ours = await start('this version', ROOT, 'ours');
  const theirs = await start('the other', against, 'theirs');
  try {
    // The first round compiles.
    for (let round = -1; round < rounds; round++) {
      const inTurn = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
      for (const version of inTurn) await measureCalls(version);
      if (round === -1)
        for (const { rates, costs } of inTurn.flatMap(({ measured }) => Object.values(measured)))
          rates.length = costs.length = 0;
    }
    for (const what of CALLS) {
      const [rate, other] = [ours, theirs].map((it) => median(it.measured[what].rates)) as Pair;
      const [cost, costs] = [ours, theirs].map((it) => median(it.measured[what].costs)) as Pair;
      console.log(
        `${what}: ${rate.toFixed(0)} a second, the other ${other.toFixed(0)}: ${(rate / other).toFixed(2)} ×; ` +
          `processor time ${cost.toFixed(0)} µs, the other ${costs.toFixed(0)} µs: ${(cost / costs).toFixed(2)} ×`,
      );
    }
  } finally {
    for (const { stop } of [ours, theirs]) await stop();
    await server?.close();
  }
}

type Pair = [number, number];

if (values.against === undefined || !['calls', 'worker'].includes(values.only)) {
  console.error(
    'unwrite: --against FOLDER must be a checkout of another version, --only calls or worker',
  );
  process.exit(2);
}
const against = resolve(values.against);
if (values.only === 'calls') await compareCalls(against);
else {
  const { store, profiles } = values;
  await compareWorkers({ ours: ROOT, against, store, rounds, requests, connections, profiles });
}
