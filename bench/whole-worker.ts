// npx node bench/versions.ts --only worker: from the first create over HTTP until the last receipt is signed, one
// server with a store of its own, erasing from a PostgreSQL target (two tables, three rows a person).
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startGuarded } from '../packages/server/test/helpers/databases/guarded-server.ts';
import { median, settle } from './contest.ts';
import { emailOf, makeDatabase, makeShop, type Shop, writeShopConfiguration } from './shop.ts';
import * as processes from './version.ts';

const LOOK_MS = 100;
const WARM_UP = 1000;

interface Compared {
  readonly ours: string;
  readonly against: string;
  readonly store: string;
  readonly rounds: number;
  readonly requests: number;
  readonly connections: number;
  readonly profiles: string | undefined;
}

/** What is counted from the first create to the last receipt. */
interface Counters {
  readonly serverSeconds: number;
  readonly databaseSeconds: number;
  readonly writtenBytes: number;
  /** Of the store, if it is PostgreSQL. */
  readonly commits: number;
  readonly rowsWritten: number;
  readonly storeBytes: number;
}

interface Contestant {
  readonly version: processes.Version;
  readonly shop: Shop;
  readonly store: {
    receipts(): Promise<number>;
    logBytes(): number;
    bytes(): Promise<number>;
    url: string | undefined;
  };
  readonly measured: Record<string, number[]>;
}

/** Lower is better, except for the rate. */
const FIGURES = [
  'requests a second',
  'µs of the server a request',
  'µs of PostgreSQL a request',
  'bytes written by the server a request',
  'commits in the store a thousand requests',
  'row writes in the store a request',
  'bytes of the store a request',
  'MiB resident at most',
  'MiB of write-ahead log at most',
] as const;

export async function compareWorkers(compared: Compared): Promise<void> {
  const { rounds, requests, connections } = compared;
  const server = await startGuarded('durable-postgres');
  const folder = mkdtempSync(join(tmpdir(), 'unwrite-worker-'));
  const admin = new pg.Client(`${server.url}postgres`);
  await admin.connect();
  const people = WARM_UP + rounds * requests;
  const start = async (name: string, root: string): Promise<Contestant> => {
    const shop = await makeShop(server.url, `${name}_shop`, people);
    const url =
      compared.store === 'postgres' ? await makeDatabase(server.url, `${name}_store`) : undefined;
    const version = await processes.startVersion({
      name,
      root,
      connections,
      environment: {
        UNWRITE_CONFIG: writeShopConfiguration(mkdtempSync(join(folder, name)), shop.url),
        UNWRITE_CANCELLATION_WINDOW: '0s',
        UNWRITE_MAX_STARTS_PER_DAY: 'off',
        ...(url !== undefined && { UNWRITE_STORE: url }),
      },
      profiles: name === 'ours' ? compared.profiles : undefined,
    });
    const store = url === undefined ? fileStore(version.dataDir) : await postgresStore(url);
    return { version, shop, store, measured: {} };
  };
  const contestants: Contestant[] = [];
  try {
    contestants.push(await start('ours', compared.ours));
    contestants.push(await start('theirs', compared.against));
    for (const one of contestants) await measure(admin, one, 0, WARM_UP, connections);
    for (const { measured } of contestants)
      for (const list of Object.values(measured)) list.length = 0;
    for (let round = 0; round < rounds; round++) {
      const inTurn = round % 2 === 0 ? contestants : contestants.toReversed();
      const from = WARM_UP + round * requests;
      for (const one of inTurn) await measure(admin, one, from, requests, connections);
    }
    for (const { shop } of contestants) await shop.check();
    console.log(
      `${requests} requests a round, medians of ${rounds}, the store is ${compared.store}`,
    );
    for (const figure of FIGURES) {
      const [us = 0, them = 0] = contestants.map(({ measured }) => median(measured[figure] ?? []));
      if (us + them > 0)
        console.log(
          `${figure}: ${us.toFixed(1)}, the other ${them.toFixed(1)}: ${(us / them).toFixed(2)} ×`,
        );
    }
  } finally {
    for (const { version, shop } of contestants) {
      await version.stop();
      await shop.close();
    }
    await admin.end();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  admin: pg.Client,
  { version, store, measured }: Contestant,
  from: number,
  requests: number,
  connections: number,
): Promise<void> {
  const people = Array.from({ length: requests }, (_, n) => from + n);
  const before = await countersOf(admin, version, store);
  const begun = performance.now();
  let logBytes = 0;
  await processes.eachOf(people, connections, async (person) => {
    const status = await version.call(
      'POST',
      '/requests',
      processes.bodyOf(randomUUID(), emailOf(person)),
    );
    if (status !== 201) throw new Error(`a create was answered with ${status}`);
  });
  while ((await store.receipts()) < from + requests) {
    logBytes = Math.max(logBytes, store.logBytes());
    await wait(LOOK_MS);
  }
  const seconds = (performance.now() - begun) / 1000;
  // PostgreSQL's counters follow with a delay; the worker seals the last rows.
  await settle(version);
  await wait(1500);
  const after = await countersOf(admin, version, store);
  const per = (counter: keyof Counters) => (after[counter] - before[counter]) / requests;
  const figures: Record<(typeof FIGURES)[number], number> = {
    'requests a second': requests / seconds,
    'µs of the server a request': per('serverSeconds') * 1_000_000,
    'µs of PostgreSQL a request': per('databaseSeconds') * 1_000_000,
    'bytes written by the server a request': per('writtenBytes'),
    'commits in the store a thousand requests': per('commits') * 1000,
    'row writes in the store a request': per('rowsWritten'),
    'bytes of the store a request': per('storeBytes'),
    'MiB resident at most': numberIn(`/proc/${version.pid}/status`, /VmHWM:\s+(\d+)/) / 1024,
    'MiB of write-ahead log at most': logBytes / 2 ** 20,
  };
  for (const [figure, value] of Object.entries(figures)) {
    const list = measured[figure] ?? [];
    list.push(value);
    measured[figure] = list;
  }
}

const numberIn = (file: string, pattern: RegExp) =>
  Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);

async function countersOf(
  admin: pg.Client,
  { pid }: processes.Version,
  store: Contestant['store'],
): Promise<Counters> {
  const { rows } = await admin.query<{ backend: number; commits: number; written: number }>(
    `SELECT pg_backend_pid() AS backend, coalesce(sum(xact_commit), 0)::float8 AS commits,
       coalesce(sum(tup_inserted + tup_updated + tup_deleted), 0)::float8 AS written
     FROM pg_stat_database WHERE datname = $1`,
    [store.url?.split('/').at(-1) ?? ''],
  );
  const [row] = rows;
  return {
    serverSeconds: processes.processorTime(pid),
    databaseSeconds: processes.processorTimeOfServer(row?.backend ?? 0),
    writtenBytes: numberIn(`/proc/${pid}/io`, /^write_bytes: (\d+)/m),
    commits: row?.commits ?? 0,
    rowsWritten: row?.written ?? 0,
    storeBytes: await store.bytes(),
  };
}

function fileStore(dataDir: string): Contestant['store'] {
  const path = join(dataDir, 'unwrite.db');
  const database = new DatabaseSync(path, { readOnly: true });
  const count = database.prepare('SELECT count(*) AS count FROM receipts');
  const bytes = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return {
    url: undefined,
    receipts: async () => Number(count.get()?.count),
    logBytes: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    bytes: async () => Number(bytes.get()?.bytes),
  };
}

async function postgresStore(url: string): Promise<Contestant['store']> {
  const client = new pg.Client(url);
  await client.connect();
  // The server is stopped below it.
  client.on('error', () => undefined);
  return {
    url,
    async receipts() {
      const { rows } = await client.query('SELECT count(*)::int AS count FROM unwrite.receipts');
      return rows[0]?.count ?? 0;
    },
    logBytes: () => 0,
    async bytes() {
      const { rows } = await client.query(
        'SELECT pg_database_size(current_database())::float8 AS bytes',
      );
      return rows[0]?.bytes ?? 0;
    },
  };
}
