// How fast requests are created, read and cancelled over HTTP, against another version.
//   npx node bench/versions.ts --against FOLDER [--store sqlite|postgres] [--rounds 5] [--requests 5000] [--connections 32]
// `--against`: a checkout of another version with its node_modules. Both run at once on stores of their own, and are
// measured alternately: calls a second, and processor time a call, which is less moved by what else the machine does (Linux).
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startGuarded } from '../packages/server/test/helpers/databases/guarded-server.ts';
import { freePort } from '../packages/server/test/helpers/free-port.ts';
import { median } from './contest.ts';
import { untilListening } from './servers.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TICKS_A_SECOND = 100;
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '32' },
  },
});
const connections = Number(values.connections);

const CALLS = ['creates', 'status reads', 'cancels'] as const;
type Call = (typeof CALLS)[number];

interface Measured {
  readonly rates: number[];
  /** Processor time, in microseconds a call. */
  readonly costs: number[];
}

interface Version {
  readonly name: string;
  readonly port: number;
  readonly token: string;
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly agent: Agent;
  readonly measured: Readonly<Record<Call, Measured>>;
}

async function start(name: string, root: string, store: object): Promise<Version> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'unwrite-versions-'));
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    UNWRITE_DATA_DIR: dataDir,
    UNWRITE_RATE_LIMIT: 'off',
    ...store,
  };
  const entry = join(root, 'packages/server/bin/unwrite.js');
  const unwrite = (...args: string[]) =>
    execFileSync(process.execPath, [entry, ...args], { env, encoding: 'utf8' });
  const { client_id } = JSON.parse(unwrite('client', 'create', '--controller', 'acme', '--json'));
  const token = unwrite('token', client_id).trim();
  const child = spawn(process.execPath, [entry, 'serve', '--log-level', 'warn'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilListening(port);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const empty = () => ({ rates: [], costs: [] });
  const measured = { creates: empty(), 'status reads': empty(), cancels: empty() };
  return { name, port, token, child, dataDir, agent, measured };
}

function call(version: Version, method: string, path: string, body?: object): Promise<number> {
  const { port, token, agent } = version;
  const { promise, resolve: answered, reject } = Promise.withResolvers<number>();
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
    answer.resume().on('end', () => answered(answer.statusCode ?? 0));
  });
  sent.on('error', reject).end(body && JSON.stringify(body));
  return promise;
}

async function each(ids: readonly string[], work: (id: string) => Promise<void>): Promise<void> {
  const left = [...ids];
  const next = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await work(id);
  };
  await Promise.all(Array.from({ length: connections }, next));
}

async function time(
  version: Version,
  what: Call,
  expected: number,
  ids: readonly string[],
  send: (id: string) => Promise<number>,
): Promise<void> {
  const spent = processorTime(version.child);
  const begun = performance.now();
  await each(ids, async (id) => {
    const status = await send(id);
    if (status !== expected) throw new Error(`one of the ${what} was answered with ${status}`);
  });
  const { rates, costs } = version.measured[what];
  rates.push(ids.length / ((performance.now() - begun) / 1000));
  costs.push(((processorTime(version.child) - spent) * 1_000_000) / ids.length);
}

async function measure(version: Version): Promise<void> {
  const ids = Array.from({ length: Number(values.requests) }, () => randomUUID());
  await time(version, 'creates', 201, ids, (id) => call(version, 'POST', '/requests', bodyOf(id)));
  await time(version, 'status reads', 200, ids, (id) => call(version, 'GET', `/requests/${id}`));
  await time(version, 'cancels', 202, ids, (id) => call(version, 'DELETE', `/requests/${id}`));
}

const bodyOf = (id: string) => ({
  regulation: 'gdpr',
  subject_request_id: id,
  subject_request_type: 'erasure',
  submitted_time: '2026-11-15T02:00:00Z',
  subject_identities: [
    { identity_type: 'email', identity_value: `${id}@example.com`, identity_format: 'raw' },
  ],
  api_version: '2.0',
});

/** In seconds, of all its threads. */
function processorTime({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

if (values.against === undefined) {
  console.error('unwrite: --against FOLDER is missing: a checkout of another version');
  process.exit(2);
}
const server = values.store === 'postgres' ? await startGuarded('durable-postgres') : undefined;
const storeOf = (schema: string) =>
  server && { UNWRITE_STORE: `${server.url}postgres`, UNWRITE_STORE_SCHEMA: schema };
const ours = await start('this version', ROOT, storeOf('ours') ?? {});
const theirs = await start('the other', resolve(values.against), storeOf('theirs') ?? {});
try {
  // The first round compiles.
  for (let round = -1; round < Number(values.rounds); round++) {
    const inTurn = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    for (const version of inTurn) await measure(version);
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
  for (const { child, dataDir, agent } of [ours, theirs]) {
    agent.destroy();
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
  await server?.close();
}

type Pair = [number, number];
