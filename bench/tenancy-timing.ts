// Does time tell whether another controller has a request? Interleaved probes of an id that another
// controller holds and of one that nobody holds; their medians should differ by less than 5 %.
//   node bench/tenancy-timing.ts [probes]
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProvision } from '../packages/server/src/auth/provision.ts';
import { createService, createTokens, openInstallation } from '../packages/server/src/compose.ts';
import { loadConfig } from '../packages/server/src/config/config.ts';
import { createLog } from '../packages/server/src/telemetry/log.ts';

const PROBES = Number(process.argv[2] ?? 10_000);
const HELD = 200;
const ALLOWED = 0.05;

const dataDir = mkdtempSync(join(tmpdir(), 'unwrite-timing-'));
const { config } = loadConfig({ port: 0, dataDir, logLevel: 'silent' }, {}, dataDir);
const installation = openInstallation(config);
const service = await createService(config, installation, await createLog(config.logLevel));
const address = new URL(await service.listen());
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const { tenants, tenantWriter } = installation.store;
const provision = createProvision(tenants, tenantWriter, Date.now, 'operator:bench');
const tokens = createTokens(config, installation.signingKeys);

function tokenOf(controllerId: string): string {
  const { clientId } = provision.client(controllerId, null);
  const controller = provisioned(clientId);
  return tokens.issue({ clientId, controllerId: controller, secretId: null }).accessToken;
}

function provisioned(clientId: string) {
  const client = tenants.client(clientId);
  if (client === undefined) throw new Error('the client is not there');
  return client.controllerId;
}

/** Milliseconds from the call to the whole answer. */
function ask(method: string, path: string, token: string, expected: number, body = '') {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== '' && { 'content-type': 'application/json', 'content-length': body.length }),
  };
  const { hostname, port } = address;
  return new Promise<number>((resolve, reject) => {
    const start = performance.now();
    const outgoing = request({ hostname, port, method, path, headers, agent }, (answer) => {
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

async function compare(method: string, ids: readonly string[], token: string): Promise<boolean> {
  const times = { held: [] as number[], unknown: [] as number[] };
  for (let i = -PROBES / 10; i < PROBES; i++) {
    const held = ids[Math.abs(i) % ids.length] as string;
    const probes = [
      ['held', held],
      ['unknown', randomUUID()],
    ] as const;
    // The second of a pair finds warmer caches: who goes first takes turns.
    for (const [kind, id] of i % 2 === 0 ? probes : probes.toReversed()) {
      const took = await ask(method, `/requests/${id}`, token, 404);
      if (i >= 0) times[kind].push(took);
    }
  }
  const [held, unknown] = [median(times.held), median(times.unknown)];
  const ratio = held / unknown;
  const inside = Math.abs(ratio - 1) < ALLOWED;
  console.log(
    `${method.padEnd(6)} held by another ${held.toFixed(4)} ms, by nobody ${unknown.toFixed(4)} ms, ` +
      `ratio ${ratio.toFixed(4)} (${inside ? 'inside' : 'OUTSIDE'} 5 %)`,
  );
  return inside;
}

try {
  const [owner, prober] = [tokenOf('owner'), tokenOf('prober')];
  const ids = Array.from({ length: HELD }, () => randomUUID());
  for (const id of ids) {
    const body = JSON.stringify({
      regulation: 'gdpr',
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: '2026-11-15T02:00:00Z',
    });
    await ask('POST', '/requests', owner, 201, body);
  }
  console.log(`${PROBES} interleaved probes of each kind, one connection`);
  const results = [await compare('GET', ids, prober), await compare('DELETE', ids, prober)];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  agent.destroy();
  await service.close();
  installation.close();
  rmSync(dataDir, { recursive: true, force: true });
}
