// DELETE, the end of the cancellation window and an operator's "start now" meet at the same moment.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import {
  inParallel,
  makeProcessInstallation,
  type TestInstallation,
} from '../e2e/set-up/installation.ts';
import {
  CONTROLLERS,
  emailOf,
  expectedChecksums,
  fillShop,
  readChecksums,
  type ShopSize,
  shopTarget,
} from '../e2e/set-up/shop.ts';
import { type ShopDatabase, SQLITE } from '../e2e/set-up/shop-database.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';

const RACES = Number(process.env.UNWRITE_TEST_RACES ?? 1000);
const AT_ONCE = 250;
const PATIENCE = 60_000 + RACES * 120;
const ACME = CONTROLLERS[0];
/** After the submission: from before the window of a second ends until after the next sweeps. */
const EARLIEST_MS = 850;
const LATEST_MS = 1750;
const SIZE: ShopSize = { customers: 2 * RACES, ordersEach: 1, heavy: 0, ordersOfTheHeavy: 0 };

interface Race {
  readonly customer: number;
  readonly id: string;
  readonly answer: number;
}

let folder: TemporaryFolder;
let shop: ShopDatabase;
let unwrite: TestInstallation;
let store: SqliteStore;

beforeAll(async () => {
  folder = makeTemporaryFolder();
  shop = await SQLITE.open(folder.path);
  await fillShop(SQLITE, shop, SIZE);
  const config = `cancellation_window: 1s\nmax_starts_per_day: off\ntargets:\n${shopTarget(shop)}`;
  unwrite = await makeProcessInstallation(folder.path, config);
  await unwrite.start();
  store = openSqliteStore(unwrite.dataDir, Date.now);
}, PATIENCE);

afterAll(async () => {
  await store.close();
  await unwrite.kill('SIGTERM');
  await shop.close();
  folder.remove();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As `unwrite request start` does, which is refused when it comes too late. */
async function askStart(id: string): Promise<void> {
  const key = { controllerId: ACME, subjectRequestId: id } as Parameters<
    typeof store.operator.askStart
  >[0];
  try {
    await store.operator.askStart(key, { actor: 'olga', now: Date.now() });
  } catch {
    // Then it has started or is cancelled, and the other side decided.
  }
}

/** On a busy machine an answer takes nearly as long as the window: some do not wait. */
const isEarly = (customer: number) => customer % 8 === 0;

async function race(customer: number, isAsked: boolean): Promise<Race> {
  const id = await unwrite.submit(ACME, [['email', emailOf(customer)]]);
  // Asked for, it starts with the next sweep: the window would be over long before.
  const from = isAsked || isEarly(customer) ? 0 : EARLIEST_MS;
  const late = isEarly(customer) ? 0 : LATEST_MS;
  const to = isAsked ? LATEST_MS - EARLIEST_MS : late;
  if (isAsked) await askStart(id);
  await pause(from + Math.random() * (to - from));
  return { customer, id, answer: await unwrite.cancel(ACME, id) };
}

it(`each of ${RACES} requests that are cancelled as they start is either cancelled or erased`, {
  timeout: PATIENCE,
}, async () => {
  const customers = Array.from({ length: RACES }, (_, n) => 2 * n);
  const races = await inParallel(customers, AT_ONCE, (it, n) => race(it, n % 4 === 3));
  const cancelled = races.filter(({ answer }) => answer === 202);
  const tooLate = races.filter(({ answer }) => answer === 400);
  expect(cancelled.length + tooLate.length).toBe(RACES);
  if (process.env.UNWRITE_TEST_CRASH_ROUNDS !== undefined)
    process.stdout.write(
      `cancel races: ${RACES}; cancelled ${cancelled.length}, erased ${tooLate.length}\n`,
    );
  // Neither side always won, or nothing was raced.
  expect(Math.min(cancelled.length, tooLate.length)).toBeGreaterThan(RACES / 20);

  await unwrite.untilCompleted(
    ACME,
    tooLate.map(({ id }) => id),
    PATIENCE,
  );
  const gone = new Set(tooLate.map(({ customer }) => customer));
  expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, gone));

  const actionsOf = ({ id }: Race) => store.catalogue.auditOf(ACME as never, id as never);
  const neitherOrBoth: Race[] = [];
  for (const race of races) {
    const actions = (await actionsOf(race)).map(({ action }) => action);
    const isStarted = actions.includes('request.started');
    if (actions.includes('request.cancelled') === isStarted) neitherOrBoth.push(race);
  }
  expect(neitherOrBoth).toEqual([]);
  const statuses = await inParallel(cancelled, 16, ({ id }) => unwrite.status(ACME, id));
  expect(new Set(statuses)).toEqual(new Set(['cancelled']));
  const tasks = await store.tasks.tasks({ limit: 10 * RACES });
  expect(new Set(tasks.map((it) => it.subjectRequestId))).toEqual(
    new Set(tooLate.map(({ id }) => id)),
  );
});
