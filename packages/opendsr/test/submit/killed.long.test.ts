// Many people, with the command killed twice midway: each is submitted exactly once, in constant memory.
// npm run test:long -- submit does it with 100,000.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../server/test/helpers/temporary-folder.ts';
import { bundled } from '../../../server/test/helpers/use-bundle.ts';

const PEOPLE = Number(process.env.UNWRITE_TEST_SUBMITTED_PEOPLE ?? 5000);
const MAIN = bundled(fileURLToPath(new URL('../../src/main.ts', import.meta.url)));
const folder = makeTemporaryFolder();
const file = join(folder.path, 'people.csv');

/** How often each person was stored; by the id, as a processor does. */
const stored = new Map<string, string>();
let onStored = () => undefined as unknown;
const server = createServer(async (request, response) => {
  const body = JSON.parse((await text(request)) || '{}');
  const reply = (status: number, value: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const time = { expected_completion_time: '2026-12-15T02:00:00.000Z' };
  if (request.url === '/oauth/token') return reply(200, { access_token: 'x', expires_in: 3600 });
  if (request.method === 'GET') {
    const id = request.url?.split('/').at(-1);
    return reply(200, { subject_request_id: id, request_status: 'pending', ...time });
  }
  const { subject_request_id: id } = body;
  if (stored.has(id)) return reply(409, { error: { code: 409, message: 'it exists' } });
  stored.set(id, body.subject_identities[0].identity_value);
  onStored();
  return reply(201, { subject_request_id: id, ...time });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stream = createWriteStream(file);
  stream.write('email,submitted_time\n');
  for (let n = 1; n <= PEOPLE; n++) {
    if (!stream.write(`person${n}@example.com,2026-11-01T10:00:00Z\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}, 60_000);
afterAll(() => {
  server.closeAllConnections();
  server.close();
  folder.remove();
});

function start(): ChildProcess {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = [MAIN, 'submit', '--file', file, '--regulation', 'gdpr', '--concurrency', '16'];
  return spawn(process.execPath, ['--max-old-space-size=64', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      OPENDSR_BASE_URL: url,
      OPENDSR_TOKEN_URL: `${url}/oauth/token`,
      OPENDSR_CLIENT_ID: 'x',
      OPENDSR_CLIENT_SECRET: 'x',
      OPENDSR_AUDIENCE: 'x',
    },
  });
}

async function killedAt(count: number): Promise<void> {
  const child = start();
  onStored = () => stored.size === count && child.kill('SIGKILL');
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}

/** Kilobytes, from the kernel; undefined elsewhere. */
function peakOf({ pid }: ChildProcess): number | undefined {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

describe('opendsr submit, killed twice', () => {
  it('submits each person exactly once, in constant memory', async () => {
    await killedAt(Math.round(PEOPLE * 0.3));
    await killedAt(Math.round(PEOPLE * 0.7));
    expect(stored.size).toBeLessThan(PEOPLE);
    const child = start();
    let peak: number | undefined;
    onStored = () => {
      if (stored.size % 1000 === 0) peak = peakOf(child) ?? peak;
    };
    const output = child.stdout ? text(child.stdout) : '';
    const [code] = await once(child, 'exit');
    expect([code, await output]).toEqual([
      0,
      expect.stringContaining(`${PEOPLE} of ${PEOPLE} people`),
    ]);
    expect(stored.size).toBe(PEOPLE);
    expect(new Set(stored.values()).size).toBe(PEOPLE);
    const results = readFileSync(`${file}.results.csv`, 'utf8').trimEnd().split('\n');
    expect(results).toHaveLength(PEOPLE + 1);
    const ids = results.slice(1).map((row) => row.split(',')[1] ?? '');
    expect(ids.filter((id) => !stored.has(id))).toEqual([]);
    expect(new Set(ids).size).toBe(PEOPLE);
    expect(readFileSync(`${file}.journal`, 'utf8')).not.toContain('@example.com');
    // Most of it is Node itself; 64 MiB of heap were allowed.
    if (peak !== undefined) expect(peak).toBeLessThan(220_000);
    // Minutes where the machine is busy: it is not a test of speed.
  }, 2_400_000);
});
