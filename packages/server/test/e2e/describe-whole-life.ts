// From outside, as a controller and an operator see it: requests go in by HTTP, rows go from a database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreKind } from '../helpers/stores/test-store.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { inParallel, type makeInstallation, type TestInstallation } from './set-up/installation.ts';
import {
  controllerOf,
  emailOf,
  expectedChecksums,
  externalIdOf,
  fillShop,
  readChecksums,
  type ShopSize,
  TABLES,
} from './set-up/shop.ts';
import type { DatabaseKind, ShopDatabase } from './set-up/shop-database.ts';

export interface WholeLife {
  readonly kind: DatabaseKind;
  readonly store: StoreKind;
  readonly size: ShopSize;
  readonly requests: number;
  /** Those with more rows are held. */
  readonly maxRows: number;
  readonly make: typeof makeInstallation;
}

/** Who asks to be forgotten: every n-th customer, some strangers, and those with too many orders. */
interface Person {
  readonly customer: number;
  readonly controllerId: string;
  readonly identities: [string, string][];
}

function peopleOf({ size, requests }: WholeLife): Person[] {
  const step = Math.floor((size.customers - size.heavy) / requests);
  return Array.from({ length: requests }, (_, n) => {
    const customer = n % 20 === 19 ? size.customers + n : size.heavy + n * step;
    return personOf(customer, n);
  }).concat(Array.from({ length: size.heavy }, (_, customer) => personOf(customer, customer)));
}

function personOf(customer: number, n: number): Person {
  const email = n % 3 === 0 ? emailOf(customer).toUpperCase() : emailOf(customer);
  const identities: [string, string][] =
    n % 2 === 0 ? [['email', email]] : [['controller_customer_id', externalIdOf(customer)]];
  return { customer, controllerId: controllerOf(customer), identities };
}

export function describeWholeLife(life: WholeLife): void {
  const { kind, store, size, maxRows } = life;
  const patience = 60_000 + size.customers * 10;
  describe(`the whole life of requests on ${store}, with a shop on ${kind.name}`, () => {
    let folder: TemporaryFolder;
    let shop: ShopDatabase;
    let unwrite: TestInstallation;
    const people = peopleOf(life);
    const isStranger = ({ customer }: Person) => customer >= size.customers;
    const isHeavy = ({ customer }: Person) => customer < size.heavy;
    let ids: string[] = [];

    beforeAll(async () => {
      folder = makeTemporaryFolder();
      shop = await kind.open(folder.path);
      await fillShop(kind, shop, size);
      unwrite = await life.make(
        folder.path,
        `cancellation_window: 0s
max_starts_per_day: off
targets:
  shop:
    ${shop.address}
    tenant_column: account
    max_rows_per_subject: ${maxRows}
    tables:${TABLES}
`,
        {},
        store,
      );
      await unwrite.start();
    }, patience);

    afterAll(async () => {
      await unwrite.kill('SIGTERM');
      await shop.close();
      folder.remove();
    }, patience);

    async function untilSettled(expectedOpen: ReadonlySet<string>): Promise<void> {
      const open = new Map(ids.map((id, index) => [id, people[index]?.controllerId ?? '']));
      const deadline = Date.now() + patience;
      while (open.size > expectedOpen.size && Date.now() < deadline) {
        await inParallel([...open], 16, async ([id, controllerId]) => {
          if ((await unwrite.status(controllerId, id)) === 'completed') open.delete(id);
        });
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      expect(new Set(open.keys())).toEqual(expectedOpen);
    }

    it('ends with every row gone that should be, and every other row unchanged', {
      timeout: patience,
    }, async () => {
      expect(await readChecksums(shop)).toEqual(expectedChecksums(size, new Set()));
      ids = await inParallel(people, 16, ({ controllerId, identities }) =>
        unwrite.submit(controllerId, identities),
      );
      await untilSettled(new Set(ids.filter((_, index) => isHeavy(people[index] as Person))));
      const gone = people.filter((it) => !isHeavy(it) && !isStranger(it));
      expect(await readChecksums(shop)).toEqual(
        expectedChecksums(size, new Set(gone.map(({ customer }) => customer))),
      );
    });

    it('says of each request what was done, verified by asking again', {
      timeout: patience,
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
      return (
        action === 'erased' &&
        tables?.customers?.rows === 1 &&
        tables.orders?.rows === size.ordersEach
      );
    }

    it('holds what matches too much, shows it, and erases it when an operator releases it', {
      timeout: patience,
    }, async () => {
      const heavy = ids.filter((_, index) => isHeavy(people[index] as Person));
      const attention = await unwrite.command('request', 'list', '--attention', '--limit', '1000');
      expect(new Set(attention.map((line: Task) => line.subject_request_id))).toEqual(
        new Set(heavy),
      );
      await unwrite.command('task', 'release', '--all', '--target', 'shop', '--as', 'olga');
      await untilSettled(new Set());
      const gone = people.filter((it) => !isStranger(it)).map(({ customer }) => customer);
      expect(await readChecksums(shop)).toEqual(expectedChecksums(size, new Set(gone)));
      expect(await unwrite.command('request', 'list', '--attention')).toEqual([]);
    });
  });
}

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
