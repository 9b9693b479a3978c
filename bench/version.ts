// A server of one version, a process of its own with a store of its own.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../packages/server/test/helpers/free-port.ts';
import { untilListening } from './servers.ts';

const TICKS_A_SECOND = 100;

export interface Version {
  readonly name: string;
  readonly dataDir: string;
  readonly pid: number;
  /** The status of the answer. */
  call(method: string, path: string, body?: object): Promise<number>;
  stop(): Promise<void>;
}

export interface VersionWanted {
  readonly name: string;
  readonly root: string;
  readonly connections: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Where the profiles of its threads are written when it ends. */
  readonly profiles?: string | undefined;
}

export async function startVersion(wanted: VersionWanted): Promise<Version> {
  const { name, root, connections, environment, profiles } = wanted;
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'unwrite-versions-'));
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    UNWRITE_DATA_DIR: dataDir,
    UNWRITE_RATE_LIMIT: 'off',
    ...environment,
  };
  const entry = join(root, 'packages/server/bin/unwrite.js');
  const unwrite = (...args: string[]) =>
    execFileSync(process.execPath, [entry, ...args], { env, encoding: 'utf8' });
  const { client_id } = JSON.parse(unwrite('client', 'create', '--controller', 'acme', '--json'));
  const token = unwrite('token', client_id).trim();
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const serve = [...profiling, entry, 'serve', '--log-level', 'warn'];
  const child = spawn(process.execPath, serve, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await untilListening(port);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    name,
    dataDir,
    pid: child.pid ?? 0,
    call(method, path, body) {
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
    },
    async stop() {
      agent.destroy();
      const exited = child.exitCode === null && child.signalCode === null && once(child, 'exit');
      child.kill(profiles === undefined ? 'SIGKILL' : 'SIGTERM');
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export const bodyOf = (id: string, email: string) => ({
  regulation: 'gdpr',
  subject_request_id: id,
  subject_request_type: 'erasure',
  submitted_time: '2026-11-15T02:00:00Z',
  subject_identities: [{ identity_type: 'email', identity_value: email, identity_format: 'raw' }],
  api_version: '2.0',
});

/** Works on all of them, so many at a time. */
export async function eachOf<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const next = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

const statOf = (pid: number | string) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
};
const sum = (...ticks: (number | undefined)[]) =>
  ticks.reduce<number>((all, one) => all + (one ?? 0), 0) / TICKS_A_SECOND;

/** In seconds, of all its threads (Linux). */
export function processorTime(pid: number): number {
  const fields = statOf(pid);
  return sum(fields[11], fields[12]);
}

/** In seconds, of a database server with all its processes, given one of them that serves a connection. */
export function processorTimeOfServer(backend: number): number {
  const postmaster = statOf(backend)[1] ?? 0;
  const own = statOf(postmaster);
  let seconds = sum(own[11], own[12], own[13], own[14]);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = statOf(pid);
      if (fields[1] === postmaster) seconds += sum(fields[11], fields[12]);
    } catch {
      // It has ended since.
    }
  }
  return seconds;
}
