// Loads one address for some seconds: with wrk where it is installed, otherwise with autocannon.
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

export interface Measured {
  readonly perSecond: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Load {
  readonly kind: 'create' | 'status' | 'token';
  readonly port: number;
  readonly seconds: number;
  readonly connections: number;
  readonly token?: string;
  readonly ids?: readonly string[];
  readonly idsFile?: string;
  readonly tokenRequest?: { readonly path: string; readonly type: string; readonly body: string };
}

export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

export function measure(load: Load): Promise<Measured> {
  return hasWrk ? measureWithWrk(load) : measureWithAutocannon(load);
}

async function measureWithWrk(load: Load): Promise<Measured> {
  const script = fileURLToPath(new URL(`./wrk/${load.kind}.lua`, import.meta.url));
  const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script];
  const environment = {
    ...process.env,
    BENCH_TOKEN: load.token,
    BENCH_IDS: load.idsFile,
    BENCH_PATH: load.tokenRequest?.path,
    BENCH_TYPE: load.tokenRequest?.type,
    BENCH_BODY: load.tokenRequest?.body,
  };
  const { stdout } = await promisify(execFile)('wrk', [...args, `http://127.0.0.1:${load.port}`], {
    env: environment,
  });
  const line = stdout.split('\n').find((text) => text.startsWith('RESULT'));
  const [requests = 0, microseconds = 1, errors = 0, p50 = 0, p99 = 0] = (line ?? '')
    .split(' ')
    .slice(1)
    .map(Number);
  return { perSecond: (requests / microseconds) * 1e6, errors, p50, p99 };
}

async function measureWithAutocannon(load: Load): Promise<Measured> {
  const result = await autocannon({
    url: `http://127.0.0.1:${load.port}`,
    connections: load.connections,
    duration: load.seconds,
    requests: [requestOf(load)],
  });
  return {
    perSecond: result.requests.average,
    errors: result.errors + result.non2xx,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

function requestOf({ kind, token, ids = [], tokenRequest }: Load): autocannon.Request {
  const authorization = `Bearer ${token}`;
  switch (kind) {
    case 'create':
      return {
        method: 'POST',
        path: '/requests',
        headers: { authorization, 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: JSON.stringify(createBody()) }),
      };
    case 'status': {
      const next = () => ids[Math.floor(Math.random() * ids.length)];
      return {
        method: 'GET',
        headers: { authorization },
        setupRequest: (request) => ({ ...request, path: `/requests/${next()}` }),
      };
    }
    case 'token':
      return {
        method: 'POST',
        path: tokenRequest?.path ?? '',
        headers: { 'content-type': tokenRequest?.type ?? '' },
        body: tokenRequest?.body ?? '',
      };
  }
}

function createBody(): object {
  const id = randomUUID();
  return {
    regulation: 'gdpr',
    subject_request_id: id,
    subject_request_type: 'erasure',
    submitted_time: '2026-11-15T02:00:00Z',
    subject_identities: [
      {
        identity_type: 'email',
        identity_value: `person-${id}@example.com`,
        identity_format: 'raw',
      },
    ],
    api_version: '2.0',
  };
}
