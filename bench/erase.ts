// npm run bench -- --only erase: people erased a second through the postgres connector, with intent,
// verification and evidence, against the bare set-based DELETEs of the same rows by the same keys in
// the same batches, and against a plain loop (count, DELETE, count; one transaction a request).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../packages/server/src/config/config.ts';
import type { SqlTargetConfig } from '../packages/server/src/domain/target/target.ts';
import { startGuarded } from '../packages/server/test/helpers/databases/guarded-server.ts';
import { makeTemporaryFolder } from '../packages/server/test/helpers/temporary-folder.ts';
import { type BenchFulfilment, createBenchFulfilment } from './fulfilment.ts';

const CUSTOMERS = 60_000;
const BATCH = 500;
/** In a round, by us and by the bare DELETEs. */
const BATCHES = 6;
const PEOPLE = BATCHES * BATCH;
const LOOPED = 100;

/** How many rows a person has. */
export interface Shape {
  readonly orders: number;
  readonly items: number;
}

const shopOf = ({ orders, items }: Shape) => `
  CREATE TABLE customers (id int PRIMARY KEY, account text NOT NULL, email text, name text);
  CREATE TABLE orders (id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customers, note text);
  INSERT INTO customers
    SELECT n, 'acme', 'person' || n || '@example.com', 'Name ' || n FROM generate_series(0, ${CUSTOMERS - 1}) n;
  INSERT INTO orders
    SELECT n, n / ${orders}, 'order ' || n FROM generate_series(0, ${CUSTOMERS * orders - 1}) n;
  ${items === 0 ? '' : itemsOf(orders, items)}
  CREATE INDEX ON customers (account, lower(email COLLATE "C"));
  CREATE INDEX ON orders (customer_id);
  VACUUM ANALYZE;`;

const itemsOf = (orders: number, items: number) => `
  CREATE TABLE order_items (
    order_id int NOT NULL REFERENCES orders, line int NOT NULL, article text, PRIMARY KEY (order_id, line)
  );
  INSERT INTO order_items
    SELECT n / ${items}, n % ${items}, 'article ' || n
    FROM generate_series(0, ${CUSTOMERS * orders * items - 1}) n;`;

export interface EraseResult {
  readonly ours: number[];
  readonly bare: number[];
  readonly loop: number[];
  /** Our processor time for a person, in microseconds, without PostgreSQL's. */
  readonly costs: number[];
}

/** People a second, round by round. */
export async function measureErasing(rounds: number, shape: Shape): Promise<EraseResult> {
  const folder = makeTemporaryFolder();
  const given = process.env.UNWRITE_TEST_POSTGRES_URL;
  const server = given === undefined ? await startGuarded('durable-postgres') : undefined;
  const url = given ?? `${server?.url}postgres`;
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of shopOf(shape)
    .split(';')
    .filter((it) => it.trim() !== '')) {
    await client.query(statement);
  }
  const fulfilment = await createBenchFulfilment(
    join(folder.path, 'data'),
    targetOf(url, folder.path, shape),
  );
  const result: EraseResult = { ours: [], bare: [], loop: [], costs: [] };
  let next = 0;
  const take = (count: number) => Array.from({ length: count }, () => next++);

  try {
    // The first round warms up and does not count.
    for (let round = 0; round <= rounds; round++) {
      const bare = await timed(PEOPLE, prepareBare(client, take(PEOPLE), shape));
      const eraseOurs = await prepareOurs(fulfilment, take(PEOPLE));
      const before = process.cpuUsage();
      const ours = await timed(PEOPLE, eraseOurs);
      const { user, system } = process.cpuUsage(before);
      const rates = {
        bare,
        ours,
        loop: await timed(LOOPED, () => eraseInALoop(client, take(LOOPED), shape)),
      };
      if (round === 0) continue;
      result.bare.push(rates.bare);
      result.ours.push(rates.ours);
      result.loop.push(rates.loop);
      result.costs.push((user + system) / PEOPLE);
    }
    const { rows } = await client.query('SELECT count(*)::int AS left FROM customers');
    if (rows[0]?.left !== CUSTOMERS - next) throw new Error('not everybody was erased');
    return result;
  } finally {
    await fulfilment.close();
    await client.end();
    await server?.close();
    folder.remove();
  }
}

async function timed(people: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return people / ((performance.now() - start) / 1000);
}

function prepareBare(client: pg.Client, people: readonly number[], shape: Shape) {
  const batches = Array.from({ length: BATCHES }, (_, n) => {
    const customers = people.slice(n * BATCH, (n + 1) * BATCH);
    const orders = customers.flatMap((id) =>
      Array.from({ length: shape.orders }, (_, order) => id * shape.orders + order),
    );
    const items = orders.flatMap((order) =>
      Array.from({ length: shape.items }, (_, line) => [order, line] as const),
    );
    return { customers, orders, items };
  });
  return async () => {
    for (const { customers, orders, items } of batches) {
      await client.query('BEGIN');
      if (items.length > 0)
        await client.query(
          'DELETE FROM order_items WHERE (order_id, line) IN (SELECT * FROM unnest($1::int[], $2::int[]))',
          [items.map(([order]) => order), items.map(([, line]) => line)],
        );
      await client.query('DELETE FROM orders WHERE id = ANY($1::int[])', [orders]);
      await client.query('DELETE FROM customers WHERE id = ANY($1::int[])', [customers]);
      await client.query('COMMIT');
    }
  };
}

async function prepareOurs(fulfilment: BenchFulfilment, customers: readonly number[]) {
  await fulfilment.prepare(customers.map((id) => `Person${id}@example.com`));
  return async () => {
    const erased = await fulfilment.runAll();
    if (erased !== PEOPLE) throw new Error(`${erased} of ${PEOPLE} were erased`);
  };
}

async function eraseInALoop(
  client: pg.Client,
  customers: readonly number[],
  { items }: Shape,
): Promise<void> {
  for (const customer of customers) {
    const values = ['acme', `person${customer}@example.com`];
    const mine = 'SELECT id FROM customers WHERE account = $1 AND lower(email COLLATE "C") = $2';
    await client.query('BEGIN');
    await client.query(`SELECT count(*) FROM orders WHERE customer_id IN (${mine})`, values);
    if (items > 0)
      await client.query(
        `DELETE FROM order_items WHERE order_id IN (SELECT id FROM orders WHERE customer_id IN (${mine}))`,
        values,
      );
    await client.query(`DELETE FROM orders WHERE customer_id IN (${mine})`, values);
    await client.query(`DELETE FROM customers WHERE id IN (${mine})`, values);
    await client.query(`SELECT count(*) FROM customers WHERE id IN (${mine})`, values);
    await client.query('COMMIT');
  }
}

const ITEMS = `      - table: order_items
        via: { orders: { order_id: id } }
`;

function targetOf(url: string, folder: string, { items }: Shape): SqlTargetConfig {
  const file = join(folder, 'unwrite.config.yaml');
  writeFileSync(
    file,
    `targets:
  shop:
    connector: postgres
    url: ${url}
    tenant_column: account
    tables:
${items === 0 ? '' : ITEMS}      - table: orders
        via: { customers: { customer_id: id } }
      - table: customers
        match: { email: email }
`,
  );
  const [target] = loadConfig({ config: file }, {}, folder).config.targets;
  if (target?.connector !== 'postgres') throw new Error('the target could not be read');
  return target;
}
