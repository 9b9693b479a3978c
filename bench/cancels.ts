// How fast requests are cancelled over HTTP, against another version: each 202 waits until the cancellation is synced
// outside of the database as well.
//   npx node bench/cancels.ts --against FOLDER [--rounds 5] [--requests 5000] [--connections 32]
// `--against`: a checkout of another version with its node_modules. Both run at once on stores of their own, and are
// measured in turn.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../packages/server/test/helpers/free-port.ts';
import { median } from './contest.ts';
import { untilListening } from './servers.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '32' },
  },
});
const connections = Number(values.connections);

interface Version {
  readonly name: string;
  readonly port: number;
  readonly token: string;
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly agent: Agent;
  readonly rates: number[];
}

async function start(name: string, root: string): Promise<Version> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'unwrite-cancels-'));
  const env = {
    ...{ PATH: process.env.PATH, PORT: String(port), UNWRITE_DATA_DIR: dataDir },
    UNWRITE_RATE_LIMIT: 'off',
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
  return { name, port, token, child, dataDir, agent, rates: [] };
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

async function measure(version: Version): Promise<void> {
  const ids = Array.from({ length: Number(values.requests) }, () => randomUUID());
  await each(ids, async (id) => {
    const status = await call(version, 'POST', '/requests', {
      regulation: 'gdpr',
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: '2026-11-15T02:00:00Z',
      subject_identities: [
        { identity_type: 'email', identity_value: `${id}@example.com`, identity_format: 'raw' },
      ],
      api_version: '2.0',
    });
    if (status !== 201) throw new Error(`a create was answered with ${status}`);
  });
  const begun = performance.now();
  await each(ids, async (id) => {
    const status = await call(version, 'DELETE', `/requests/${id}`);
    if (status !== 202) throw new Error(`a cancel was answered with ${status}`);
  });
  version.rates.push(ids.length / ((performance.now() - begun) / 1000));
}

if (values.against === undefined) {
  console.error('unwrite: --against FOLDER is missing: a checkout of another version');
  process.exit(2);
}
const ours = await start('this version', ROOT);
const theirs = await start('the other', resolve(values.against));
try {
  for (let round = 0; round < Number(values.rounds); round++) {
    const inTurn = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    for (const version of inTurn) await measure(version);
  }
  for (const { name, rates } of [ours, theirs]) {
    console.log(`${name}: ${median(rates).toFixed(0)} cancels a second`);
  }
  const ratio = median(ours.rates) / median(theirs.rates);
  console.log(`this version ÷ the other: ${ratio.toFixed(2)}`);
} finally {
  for (const { child, dataDir, agent } of [ours, theirs]) {
    agent.destroy();
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
}
