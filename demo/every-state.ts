// Data that shows every kind of state, for a look at the console: requests that wait, run, are held for too many rows,
// held for a person, stuck at a target that is down, near their deadline, late, cancelled and completed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Controller, type Credentials, createController } from './controller.ts';
import { SHOP_CONFIG } from './make-shop.ts';
import { createOperator, type Operate } from './operator.ts';
import { startUnwrite, type Unwrite } from './unwrite.ts';

const DAY_MS = 86_400_000;
const PATIENCE_MS = 30_000;

/** Beside the shop: one that nothing answers for, and one that is a room with paper in it. */
const CONFIG = `${SHOP_CONFIG}
  crm:
    connector: http
    url: http://127.0.0.1:9/erase
    allow_private: true
    controllers: [northwind]
  filing-cabinet:
    connector: manual
    instructions: "Room 204, cabinet 3: take out the customer's folder and shred it."
    controllers: [acme]
`;

const CONTROLLERS = {
  acme: 'Acme GmbH',
  northwind: 'Northwind Traders',
  globex: 'Globex',
} as const;
type ControllerId = keyof typeof CONTROLLERS;

interface Person {
  readonly controller: ControllerId;
  readonly becomes: 'started' | 'pending' | 'cancelled';
  readonly orders: number;
  /** How long ago the person asked the controller: the time that the law gives began then. */
  readonly days: number;
}

const started = (controller: ControllerId, days: number, orders = 4): Person => ({
  controller,
  days,
  orders,
  becomes: 'started',
});
const PEOPLE: readonly Person[] = [
  started('globex', 28.4, 1100),
  started('acme', 31.8),
  started('acme', 12.2),
  started('northwind', 26.9),
  started('northwind', 21.5),
  started('northwind', 9.3),
  ...Array.from({ length: 9 }, (_, index) => started('globex', 2 + index * 2.7, 1 + (index % 5))),
  { controller: 'globex', becomes: 'pending', orders: 2, days: 0 },
  { controller: 'acme', becomes: 'pending', orders: 3, days: 0 },
  { controller: 'northwind', becomes: 'cancelled', orders: 1, days: 0 },
];

const emailOf = (index: number) => `someone${index}@example.net`;

/** Answers the running service; the shop of the folder is there already. */
export async function makeEveryState(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Unwrite> {
  writeFileSync(join(folder, 'unwrite.config.yaml'), CONFIG);
  addPeople(join(folder, 'shop.db'));
  const settings = {
    UNWRITE_CANCELLATION_WINDOW: '24h',
    UNWRITE_LOG_LEVEL: 'error',
    ...environment,
  };
  const unwrite = await startUnwrite(folder, settings);
  try {
    const operate = await createOperator(unwrite, 'demo');
    await untilDecided(operate, await submitAll(unwrite, operate));
  } catch (error) {
    await unwrite.stop();
    throw error;
  }
  return unwrite;
}

async function submitAll(unwrite: Unwrite, operate: Operate): Promise<Map<string, Person>> {
  const controllers = new Map<ControllerId, Controller>();
  for (const [id, name] of Object.entries(CONTROLLERS)) {
    await operate('/controllers', { controller_id: id, name });
    const made = (await operate(`/controllers/${id}/clients`, {})) as Omit<Credentials, 'audience'>;
    const client = { ...made, audience: unwrite.url };
    controllers.set(id as ControllerId, await createController(unwrite.url, client));
  }
  const ids = new Map<string, Person>();
  for (const [index, person] of PEOPLE.entries()) {
    const controller = controllers.get(person.controller);
    if (controller === undefined) continue;
    const id = await controller.submit(emailOf(index), Date.now() - person.days * DAY_MS);
    ids.set(id, person);
    if (person.becomes === 'cancelled') await controller.cancel(id);
    if (person.becomes === 'started')
      await operate(`/requests/${person.controller}/${id}/start`, {});
  }
  return ids;
}

/** Waits until every request that can be completed is completed and has its receipt; others are held, or wait for a target. */
async function untilDecided(operate: Operate, ids: ReadonlyMap<string, Person>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (const [id, person] of ids) {
    if (person.becomes !== 'started') continue;
    while (!isDecided(person, (await operate(`/requests/${person.controller}/${id}`)) as Looked)) {
      if (performance.now() > deadline) throw new Error(`request ${id} was not worked on`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

interface Looked {
  readonly receipts: readonly unknown[];
  readonly tasks: readonly { readonly target: string; readonly state: string }[];
}

function isDecided({ controller, orders }: Person, { receipts, tasks }: Looked): boolean {
  if (!isStuck(controller, orders)) return receipts.length > 0;
  const shop = tasks.find(({ target }) => target === 'shop');
  return shop?.state === (orders > 1000 ? 'held' : 'erased');
}

function isStuck(controller: ControllerId, orders: number): boolean {
  return controller !== 'globex' || orders > 1000;
}

function addPeople(shop: string): void {
  const database = new DatabaseSync(shop);
  const customer = database.prepare(
    'INSERT INTO customers (account, email, name, phone) VALUES (?, ?, ?, ?)',
  );
  const order = database.prepare('INSERT INTO orders (customer_id, placed) VALUES (?, ?)');
  const invoice = database.prepare('INSERT INTO invoices (customer_no, cents) VALUES (?, ?)');
  database.exec('BEGIN');
  for (const [index, { controller, orders }] of PEOPLE.entries()) {
    const { lastInsertRowid: id } = customer.run(controller, emailOf(index), 'Someone', null);
    for (let n = 0; n < orders; n++) order.run(id, '2026-03-14');
    invoice.run(id, 4200);
  }
  database.exec('COMMIT');
  database.close();
}
