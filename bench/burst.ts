// npm run bench -- --only burst: creates through two API nodes as fast as they are taken, while two workers erase
// from a PostgreSQL target, until the last request is completed. Then the shop itself is asked.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import pg from 'pg';
import { startGuarded } from '../packages/server/test/helpers/databases/guarded-server.ts';
import { makeTemporaryFolder } from '../packages/server/test/helpers/temporary-folder.ts';
import { type Installation, installNodes } from './nodes.ts';
import { emailOf, makeDatabase, makeShop, writeShopConfiguration } from './shop.ts';

const CONNECTIONS = 64;
const API_PORTS = [18_101, 18_102];
const WORKER_PORTS = [18_103, 18_104];
const LOOK_MS = 250;

export interface Burst {
  readonly requests: number;
  /** Until the last create was acknowledged. */
  readonly createdSeconds: number;
  /** From the first create until the last request was completed. */
  readonly completedSeconds: number;
  /** What the store has grown to, by table, largest first. */
  readonly tables: readonly { readonly name: string; readonly bytes: number }[];
}

export async function measureBurst(requests: number): Promise<Burst> {
  const folder = makeTemporaryFolder();
  const server = await startGuarded('durable-postgres');
  const shop = await makeShop(server.url, 'burst_shop', requests);
  let nodes: Installation | undefined;
  try {
    nodes = await installNodes({
      folder: folder.path,
      environment: {
        UNWRITE_STORE: await makeDatabase(server.url, 'burst_store'),
        UNWRITE_CONFIG: writeShopConfiguration(folder.path, shop.url),
        UNWRITE_CANCELLATION_WINDOW: '0s',
        UNWRITE_MAX_STARTS_PER_DAY: 'off',
        UNWRITE_PUBLIC_URL: `http://localhost:${API_PORTS[0]}`,
      },
      api: API_PORTS,
      worker: WORKER_PORTS,
    });
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1000;
    await submitAll(nodes.token, requests);
    const createdSeconds = seconds();
    await untilCompleted(nodes.storeUrl, requests);
    const completedSeconds = seconds();
    await shop.check();
    const tables = await readSizes(nodes.storeUrl);
    return { requests, createdSeconds, completedSeconds, tables };
  } finally {
    nodes?.stop();
    await shop.close();
    await server.close();
    folder.remove();
  }
}

async function submitAll(token: string, requests: number): Promise<void> {
  const agents = API_PORTS.map(
    () => new Agent({ keepAlive: true, maxSockets: CONNECTIONS / API_PORTS.length }),
  );
  let next = 0;
  async function submitSome(connection: number): Promise<void> {
    const at = connection % API_PORTS.length;
    const place = { port: API_PORTS[at] ?? 0, agent: agents[at] as Agent };
    for (let person = next++; person < requests; person = next++) {
      await submit(place, token, person);
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => submitSome(connection)));
  for (const agent of agents) agent.destroy();
}

function submit(
  place: { readonly port: number; readonly agent: Agent },
  token: string,
  person: number,
): Promise<void> {
  const body = JSON.stringify({
    regulation: 'gdpr',
    subject_request_id: randomUUID(),
    subject_request_type: 'erasure',
    submitted_time: '2026-11-15T02:00:00Z',
    subject_identities: [
      { identity_type: 'email', identity_value: emailOf(person), identity_format: 'raw' },
    ],
    api_version: '2.0',
  });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${token}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { ...place, host: '127.0.0.1', method: 'POST', path: '/requests', headers },
      (answer) => {
        answer.resume();
        answer.once('end', () => {
          if (answer.statusCode === 201) resolve();
          else reject(new Error(`a create was answered ${answer.statusCode}`));
        });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

async function untilCompleted(url: string, requests: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const text = `SELECT coalesce(sum(count), 0)::int AS count FROM unwrite.daily_counts
    WHERE day = -1 AND what = 'completed'`;
  try {
    for (;;) {
      const { rows } = await client.query<{ count: number }>(text);
      if ((rows[0]?.count ?? 0) >= requests) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    await client.end();
  }
}

async function readSizes(url: string): Promise<Burst['tables']> {
  const client = new pg.Client(url);
  await client.connect();
  const text = `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'unwrite'::regnamespace ORDER BY bytes DESC, name`;
  const { rows } = await client
    .query<{ name: string; bytes: number }>(text)
    .finally(() => client.end());
  return rows;
}
