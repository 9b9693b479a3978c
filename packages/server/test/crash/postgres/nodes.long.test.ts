// Two nodes that answer controllers and three that erase, on one PostgreSQL: each of them is killed with
// -9 again and again, and so is the database, while keys of every kind are replaced.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignatureVerifier } from '../../../src/audit/proof-key.ts';
import { readPublishedKeys } from '../../../src/audit/published-key.ts';
import { verifyReceipt } from '../../../src/receipts/verify-receipt.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/database.ts';
import { inParallel } from '../../e2e/set-up/installation.ts';
import {
  CONTROLLERS,
  expectedChecksums,
  fillShop,
  readChecksums,
  type ShopSize,
  shopTarget,
} from '../../e2e/set-up/shop.ts';
import { POSTGRES, type ShopDatabase } from '../../e2e/set-up/shop-database.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { type DatabaseServer, startGuarded } from '../../helpers/databases/guarded-server.ts';
import { call } from '../../helpers/http/api.ts';
import {
  makeNodeProcesses,
  type NodeProcess,
  type NodeProcesses,
} from '../../helpers/servers/node-processes.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';
import { emptyNodesLedger, startControllers } from './controllers.ts';
import { rotateKeys } from './rotate-keys.ts';
import { supervise } from './supervise.ts';
import {
  completedIds,
  findHalfWritten,
  findLost,
  readCounts,
  readEvidence,
  whatIsOpen,
} from './whole-store.ts';

const GIVEN = process.env.UNWRITE_TEST_CRASH_ROUNDS;
const ROUNDS = Number(GIVEN ?? 2);
const ACME = CONTROLLERS[0];
const KILLS_A_ROUND = 4;
const KILL_EVERY_MS = 1000;
const LONGEST_OUTAGE_MS = 1000;
/** Nothing is promised about it: nodes take long to start on a busy machine. */
const LONGEST_ROUND_MS = 180_000;
const WINDOW_MS = 1000;
const ASKING = 150 * ROUNDS;
const SIZE: ShopSize = { customers: 2 * ASKING, ordersEach: 3, heavy: 0, ordersOfTheHeavy: 0 };
/** The time for a lease and the heartbeat of a job to run out, and then for the backlog. */
const SETTLE_MS = 300_000 + ROUNDS * 10_000;
const SCHEMA = 'unwrite';
/** Asked for by HTTP, at each node. */
const SAMPLE = 100;

describe.skipIf(!(await hasPostgres()))('nodes and a database that die again and again', () => {
  let folder: TemporaryFolder;
  let server: DatabaseServer;
  let shop: ShopDatabase;
  let nodes: NodeProcesses;
  let database: Database;

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    [server, shop] = await Promise.all([
      startGuarded('durable-postgres'),
      POSTGRES.open(folder.path),
    ]);
    await fillShop(POSTGRES, shop, SIZE);
    const url = `${server.url}postgres`;
    // Many small batches, and enough slots that some are free while those of the killed nodes are not.
    const target = shopTarget(shop, 'batch_size: 5\n    concurrency: 16');
    nodes = makeNodeProcesses({
      folder: folder.path,
      url,
      schema: SCHEMA,
      config: [
        `cancellation_window: ${WINDOW_MS / 1000}s`,
        'max_starts_per_day: off',
        'retention: { identities: 0s }',
        'concurrency: 2',
        'token_lifetime: 24h',
        `targets:\n${target}`,
      ].join('\n'),
    });
    database = openDatabase({
      url,
      schema: SCHEMA,
      poolSize: 2,
      statementTimeout: 30_000,
      prepare: true,
      name: 'unwrite test',
    });
  }, 60_000);
  afterAll(async () => {
    await nodes.close();
    await database.close();
    await shop.close();
    await server.close();
    folder.remove();
  });

  const title = `lose nothing, erase nothing twice or wrongly, and settle, after ${ROUNDS} rounds`;
  it(title, { timeout: 60_000 + ROUNDS * LONGEST_ROUND_MS + SETTLE_MS }, async () => {
    const apis = [await nodes.add('api-1', 'api'), await nodes.add('api-2', 'api')];
    const workers = [
      await nodes.add('worker-1', 'worker'),
      await nodes.add('worker-2', 'worker'),
      await nodes.add('worker-3', 'worker'),
    ];
    const all = [...apis, ...workers];
    const fleet = supervise(all);
    await Promise.all(all.map((node) => node.untilReady()));
    const ledger = emptyNodesLedger();
    const urls = apis.map(({ url }) => url);
    const token = await nodes.token(urls[0] as string, ACME);
    const controllers = startControllers({
      urls,
      ledger,
      clients: 16,
      cancellationWindowMs: WINDOW_MS,
      pauseMs: 40,
      token,
      customers: Array.from({ length: ASKING }, (_, n) => 2 * n),
    });

    const rotations = rotateKeys(nodes, database);
    for (let round = 1; round <= ROUNDS; round++) {
      const outage = restartOnce(server, Math.random() * KILLS_A_ROUND * KILL_EVERY_MS);
      for (let kills = 0; kills < KILLS_A_ROUND; ) {
        await pause(KILL_EVERY_MS * (0.5 + Math.random()));
        if (await fleet.killOne()) kills++;
      }
      await outage;
    }
    await controllers.finish();
    await Promise.all(all.map((node) => node.untilReady()));
    const rotated = await rotations.finish();
    if (GIVEN === undefined) await letGoOfTheDead(database, all);
    let open: string[] = [];
    const isSettled = async () => {
      open = await whatIsOpen(database);
      return open.length === 0;
    };
    await until(isSettled, () => `not settled: ${open.join(', ')}`, SETTLE_MS);
    fleet.stop();

    expect(fleet.fallen).toEqual([]);
    expect(ledger.unexpected).toEqual([]);
    expect(await findLost(database, ledger)).toEqual([]);
    expect(await findHalfWritten(database)).toEqual([]);
    // Every id has an answer by now, so there is nothing in the store that nobody knows of.
    const completed = await completedIds(database);
    const gone = new Set(completed.map((id) => ledger.created.get(id) ?? Number.NaN));
    expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, gone));
    expect(completed.length).toBeGreaterThan(0);
    expect(ledger.cancelled.size).toBeGreaterThan(0);

    const evidence = await readEvidence(database);
    const right = {
      action: 'erased',
      verified: 'requeried',
      tables: { orders: { rows: SIZE.ordersEach }, customers: { rows: 1 } },
    };
    for (const one of evidence) expect(one).toMatchObject(right);
    const cancelled = ledger.created.size - completed.length;
    expect(await readCounts(database)).toEqual({
      starts: completed.length,
      completed: completed.length,
      cancelled,
      tasks: completed.length,
      rows: completed.length * (SIZE.ordersEach + 1),
    });

    const done = new Set(completed);
    const sample = [...ledger.created.keys()].slice(-SAMPLE);
    for (const url of urls) {
      const answers = await inParallel(sample, 8, (id) => call(`${url}/requests/${id}`, { token }));
      expect(answers.map(({ body }) => body.request_status)).toEqual(
        sample.map((id) => (done.has(id) ? 'completed' : 'cancelled')),
      );
    }

    expect(await nodes.command(['request', 'list', '--attention'])).toEqual([]);
    for (const { dataDir } of workers) {
      expect(await nodes.command(['audit', 'verify'], dataDir)).toMatchObject({ ok: true });
    }
    const alarms = await nodes.command(['alarms', 'list']);
    expect(alarms.map(({ kind }: { kind: string }) => kind)).not.toContain('audit_tampered');
    expect(alarms.map(({ kind }: { kind: string }) => kind)).not.toContain('row_refused');
    expect(alarms.map(({ kind }: { kind: string }) => kind)).not.toContain('unreadable');
    await expectReceipts(urls[0] as string, completed);
    expect(all.map((node) => node.output()).join('')).not.toContain('@example.com');
    report(
      fleet.kills(),
      rotated,
      evidence.filter(({ recovered }) => recovered).length,
      ledger.answers,
    );
  });

  /** They are the very bytes that controllers get. */
  async function expectReceipts(url: string, ids: readonly string[]): Promise<void> {
    const { body } = await call(`${url}/receipts/keys`);
    const verify = createSignatureVerifier(readPublishedKeys(JSON.stringify(body)));
    const rows = await database.all<{ document: string }>('SELECT document FROM @receipts');
    const verdicts = rows.map(({ document }) => verifyReceipt(Buffer.from(document), verify));
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
    const named = verdicts.map((verdict) => (verdict.ok ? verdict.receipt.subject_request_id : ''));
    expect(named.sort()).toEqual([...ids].sort());
  }
});

async function restartOnce(server: DatabaseServer, afterMs: number): Promise<void> {
  await pause(afterMs);
  await server.stop();
  await pause(Math.random() * LONGEST_OUTAGE_MS);
  await server.start();
}

/**
 * In the short run nobody waits for the leases of the killed to end, nor for their jobs to be given up: the
 * leases are ended, and the queue is dropped as a whole. The long run waits.
 */
async function letGoOfTheDead(database: Database, nodes: readonly NodeProcess[]): Promise<void> {
  const pids = nodes.map((node) => `%-${node.process().child.pid}-%`);
  await database.run('UPDATE @batches SET lease_until = 0 WHERE NOT worker LIKE ANY($1::text[])', [
    pids,
  ]);
  await database.run(`DROP SCHEMA IF EXISTS ${SCHEMA}_queue CASCADE`);
}

function report(
  kills: number,
  rotated: Record<string, number>,
  recovered: number,
  answers: ReadonlyMap<string, number>,
): void {
  if (GIVEN === undefined) return;
  const lines = [...answers].sort().map(([what, count]) => `${what}: ${count}`);
  const keys = Object.entries(rotated).map(([kind, count]) => `${count} ${kind}`);
  console.log(
    `${kills} kills; keys replaced: ${keys.join(', ')}; ${recovered} tasks recovered; answers: ${lines.join(', ')}`,
  );
}
