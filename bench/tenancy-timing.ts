// Does time tell whether another controller has a request, or whether a client exists? Interleaved
// probes of an id that another controller holds and of one that does not exist, of a wrong secret and of
// an unknown client; their medians should differ by less than 5 %.
//   node bench/tenancy-timing.ts [probes]
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokens } from '../packages/server/src/app/api.ts';
import { openInstallation } from '../packages/server/src/app/installation.ts';
import { createService } from '../packages/server/src/app/service.ts';
import { createProvision } from '../packages/server/src/auth/provision.ts';
import { loadConfig } from '../packages/server/src/config/config.ts';
import { createLog } from '../packages/server/src/telemetry/log.ts';

const PROBES = Number(process.argv[2] ?? 10_000);
const HELD = 200;
const ALLOWED = 0.05;

const dataDir = mkdtempSync(join(tmpdir(), 'unwrite-timing-'));
const loaded = loadConfig(
  { port: 0, publicUrl: 'http://localhost', dataDir, logLevel: 'silent', trustProxy: 1 },
  {},
  dataDir,
);
const { config } = loaded;
const installation = await openInstallation(config);
const service = await createService(loaded, installation, await createLog('silent'));
const address = new URL(await service.listen());
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const { tenants, tenantWriter, clock } = installation.store;
const provision = createProvision({ tenants, tenantWriter, clock }, 'operator:bench');
const tokens = createTokens(config, installation.signingKeys, installation.store.clock);

async function tokenOf(controllerId: string): Promise<string> {
  const { clientId } = await provision.client(controllerId, null);
  const controller = await provisioned(clientId);
  const token = await tokens.issue({ clientId, controllerId: controller, secretId: null });
  return token.accessToken;
}

async function provisioned(clientId: string) {
  const client = await tenants.client(clientId);
  if (client === undefined) throw new Error('the client is not there');
  return client.controllerId;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly expected: number;
}

/** Milliseconds from the call to the whole answer. */
function time({ method, path, headers = {}, body = '', expected }: Call): Promise<number> {
  const sized =
    body === ''
      ? headers
      : { ...headers, 'content-type': 'application/json', 'content-length': body.length };
  const { hostname, port } = address;
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const outgoing = request({ hostname, port, method, path, headers: sized, agent }, (answer) => {
      answer.resume().once('end', () => {
        const took = performance.now() - start;
        if (answer.statusCode === expected) resolve(took);
        else reject(new Error(`${method} was answered ${answer.statusCode}, not ${expected}`));
      });
    });
    outgoing.once('error', reject).end(body);
  });
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

type MakeCall = (index: number) => Call;

async function compare(name: string, known: MakeCall, unknown: MakeCall): Promise<boolean> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < PROBES * 1.1; i++) {
    // The second of a pair finds warmer caches, so the order alternates.
    for (const kind of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const took = await time((kind === 0 ? known : unknown)(i));
      if (i >= PROBES * 0.1) times[kind].push(took);
    }
  }
  const [one, other] = times.map(median) as [number, number];
  const ratio = one / other;
  const inside = Math.abs(ratio - 1) < ALLOWED;
  console.log(
    `${name}: known ${one.toFixed(4)} ms, unknown ${other.toFixed(4)} ms, ` +
      `ratio ${ratio.toFixed(4)} (${inside ? 'inside' : 'OUTSIDE'} 5 %)`,
  );
  return inside;
}

function probe(method: string, id: string, token: string): Call {
  const headers = { authorization: `Bearer ${token}` };
  return { method, path: `/requests/${id}`, headers, expected: 404 };
}

/** Each from an address of its own, and few for each client: the throttle is not what is measured. */
function guess(clientId: string, index: number): Call {
  const from = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const body = JSON.stringify({
    client_id: clientId,
    client_secret: 'unwrite_guess',
    audience: config.audience,
    grant_type: 'client_credentials',
  });
  const headers = { 'x-forwarded-for': from };
  return { method: 'POST', path: '/oauth/token', headers, body, expected: 401 };
}

try {
  const [owner, prober] = [await tokenOf('owner'), await tokenOf('prober')];
  const ids = Array.from({ length: HELD }, () => randomUUID());
  for (const id of ids) {
    const body = JSON.stringify({
      regulation: 'gdpr',
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: '2026-11-15T02:00:00Z',
    });
    const headers = { authorization: `Bearer ${owner}` };
    await time({ method: 'POST', path: '/requests', headers, body, expected: 201 });
  }
  const idAt = (index: number) => ids[index % HELD] as string;
  const clients: [string, string][] = [];
  for (let made = 0; made < PROBES / 50; made++) {
    const { clientId } = await provision.client('owner', null);
    clients.push([clientId, `cli_${randomBytes(12).toString('hex')}`]);
  }
  const clientAt = (index: number) => clients[index % clients.length] as readonly [string, string];

  console.log(`${PROBES} interleaved probes of each kind, one connection`);
  const results: boolean[] = [];
  for (const method of ['GET', 'DELETE']) {
    results.push(
      await compare(
        `${method} /requests/{id}`,
        (i) => probe(method, idAt(i), prober),
        () => probe(method, randomUUID(), prober),
      ),
    );
  }
  results.push(
    await compare(
      'POST /oauth/token, wrong secret',
      (i) => guess(clientAt(i)[0], i),
      (i) => guess(clientAt(i)[1], i),
    ),
  );
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  agent.destroy();
  await service.close();
  await installation.close();
  rmSync(dataDir, { recursive: true, force: true });
}
