// From outside, as a controller and an operator see it: requests go in by HTTP, rows go from a database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { DEFAULT_STORE, type StoreKind, storeKinds } from '../helpers/test-store.ts';
import { inParallel, makeInstallation, type TestInstallation } from './installation.ts';
import {
  controllerOf,
  emailOf,
  expectedChecksums,
  externalIdOf,
  fillShop,
  readChecksums,
  type ShopSize,
  TABLES,
} from './shop.ts';
import { type DatabaseKind, databaseKinds, POSTGRES, type ShopDatabase } from './shop-database.ts';

const CUSTOMERS = Number(process.env.UNWRITE_TEST_E2E_CUSTOMERS ?? 4000);
const REQUESTS = Number(process.env.UNWRITE_TEST_E2E_REQUESTS ?? 600);
const SIZE: ShopSize = { customers: CUSTOMERS, ordersEach: 10, heavy: 6, ordersOfTheHeavy: 1200 };
const PATIENCE = 60_000 + CUSTOMERS * 10;

/** Who asks to be forgotten: every n-th customer, some strangers, and those with too many orders. */
interface Person {
  readonly customer: number;
  readonly controllerId: string;
  readonly identities: [string, string][];
}

function peopleOf(): Person[] {
  const step = Math.floor((CUSTOMERS - SIZE.heavy) / REQUESTS);
  return Array.from({ length: REQUESTS }, (_, n) => {
    const customer = n % 20 === 19 ? CUSTOMERS + n : SIZE.heavy + n * step;
    return personOf(customer, n);
  }).concat(Array.from({ length: SIZE.heavy }, (_, customer) => personOf(customer, customer)));
}

function personOf(customer: number, n: number): Person {
  const email = n % 3 === 0 ? emailOf(customer).toUpperCase() : emailOf(customer);
  const identities: [string, string][] =
    n % 2 === 0 ? [['email', email]] : [['controller_customer_id', externalIdOf(customer)]];
  return { customer, controllerId: controllerOf(customer), identities };
}

interface Case {
  readonly kind: DatabaseKind;
  readonly store: StoreKind;
}

/** Every shop on the first store; on the others one is enough. */
async function cases(): Promise<Case[]> {
  const kinds = await databaseKinds();
  const [first, ...others] = await storeKinds();
  return [
    ...kinds.map((kind) => ({ kind, store: first ?? DEFAULT_STORE })),
    ...others.map((store) => ({ kind: POSTGRES, store })),
  ];
}

describe.each(await cases())(
  'the whole life of requests on $store, with a shop on $kind.name',
  ({ kind, store }) => {
    let folder: TemporaryFolder;
    let shop: ShopDatabase;
    let unwrite: TestInstallation;
    const people = peopleOf();
    const isStranger = ({ customer }: Person) => customer >= CUSTOMERS;
    const isHeavy = ({ customer }: Person) => customer < SIZE.heavy;
    let ids: string[] = [];

    beforeAll(async () => {
      folder = makeTemporaryFolder();
      shop = await kind.open(folder.path);
      await fillShop(kind, shop, SIZE);
      unwrite = await makeInstallation(
        folder.path,
        `cancellation_window: 0s
max_starts_per_day: off
targets:
  shop:
    ${shop.address}
    tenant_column: account
    max_rows_per_subject: 1000
    tables:${TABLES}
`,
        {},
        store,
      );
      await unwrite.start();
    }, PATIENCE);

    afterAll(async () => {
      await unwrite.kill('SIGTERM');
      await shop.close();
      folder.remove();
    }, PATIENCE);

    async function untilSettled(expectedOpen: ReadonlySet<string>): Promise<void> {
      const open = new Map(ids.map((id, index) => [id, people[index]?.controllerId ?? '']));
      const deadline = Date.now() + PATIENCE;
      while (open.size > expectedOpen.size && Date.now() < deadline) {
        await inParallel([...open], 16, async ([id, controllerId]) => {
          if ((await unwrite.status(controllerId, id)) === 'completed') open.delete(id);
        });
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      expect(new Set(open.keys())).toEqual(expectedOpen);
    }

    it('ends with every row gone that should be, and every other row as it was', {
      timeout: PATIENCE,
    }, async () => {
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set()));
      ids = await inParallel(people, 16, ({ controllerId, identities }) =>
        unwrite.submit(controllerId, identities),
      );
      await untilSettled(new Set(ids.filter((_, index) => isHeavy(people[index] as Person))));
      const gone = people.filter((it) => !isHeavy(it) && !isStranger(it));
      expect(await readChecksums(shop)).toEqual(
        expectedChecksums(SIZE, new Set(gone.map(({ customer }) => customer))),
      );
    });

    it('says of each request what was done, verified by asking again', {
      timeout: PATIENCE,
    }, async () => {
      const tasks: Task[] = await unwrite.command('task', 'list', '--limit', '999999');
      const taskOf = new Map(tasks.map((task) => [task.subject_request_id, task]));
      const wrong = people.flatMap((person, index) => {
        const task = taskOf.get(ids[index] ?? '');
        return isAsExpected(person, task) ? [] : [{ person, task }];
      });
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(tasks).toHaveLength(people.length);
    });

    function isAsExpected(person: Person, task: Task | undefined): boolean {
      if (isHeavy(person)) return task?.state === 'held' && task.reason === 'over_cap';
      const { action, tables, verified } = task?.evidence ?? {};
      if (verified !== 'requeried') return false;
      if (isStranger(person)) return action === 'not_found';
      return action === 'erased' && tables?.customers?.rows === 1 && tables.orders?.rows === 10;
    }

    it('holds what matches too much, shows it, and erases it when an operator releases it', {
      timeout: PATIENCE,
    }, async () => {
      const heavy = ids.filter((_, index) => isHeavy(people[index] as Person));
      const attention = await unwrite.command('request', 'list', '--attention', '--limit', '1000');
      expect(new Set(attention.map((line: Task) => line.subject_request_id))).toEqual(
        new Set(heavy),
      );
      await unwrite.command('task', 'release', '--all', '--target', 'shop', '--as', 'olga');
      await untilSettled(new Set());
      const gone = people.filter((it) => !isStranger(it)).map(({ customer }) => customer);
      expect(await readChecksums(shop)).toEqual(expectedChecksums(SIZE, new Set(gone)));
      expect(await unwrite.command('request', 'list', '--attention')).toEqual([]);
    });
  },
);

interface Task {
  readonly subject_request_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly evidence: {
    readonly action: string;
    readonly verified: string;
    readonly tables: Record<string, { rows: number }>;
  } | null;
}
