// A stolen client secret: the daily limits contain the damage. pauses-and-limits.long.test.ts has the operator's pause.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { until } from '../helpers/until.ts';
import { inParallel } from './set-up/installation.ts';
import { shopTarget } from './set-up/shop.ts';
import { ACME, useShopInstallation } from './set-up/use-shop-installation.ts';

const SUBMITTED = Number(process.env.UNWRITE_TEST_STOLEN ?? 60);
const MAX_STARTS = 20;
const PATIENCE = 120_000 + SUBMITTED * 20;
/** What the worker, in its thread, says of the batches. */
const MEASURED = [
  'unwrite_batch_tasks_count{target="shop"}',
  'unwrite_batch_duration_seconds_count{target="shop",outcome="done"}',
  ...['gate', 'erase', 'verify'].map(
    (call) =>
      `unwrite_connector_call_duration_seconds_count{target="shop",call="${call}",outcome="answered"}`,
  ),
];
const SIZE = { customers: SUBMITTED * 2, ordersEach: 1, heavy: 0, ordersOfTheHeavy: 0 };
const world = useShopInstallation(SIZE);
let webhook: Server | undefined;

afterEach(() => {
  webhook?.closeAllConnections();
  webhook?.close();
});

async function listenForAlarms() {
  const bodies: string[] = [];
  webhook = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => webhook?.listen(0, '127.0.0.1', resolve));
  const { port } = webhook.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/alarms`, bodies };
}

/** Every second customer is acme's. */
const submitAll = (count: number) =>
  inParallel(Array.from({ length: count }), 16, (_, n) => world.submit(n * 2));

async function customersLeft(): Promise<number> {
  const [row] = await world.shop.query(
    `SELECT count(*) AS n FROM customers WHERE account = '${ACME}'`,
  );
  return Number(row?.n);
}

it('a stolen client secret erases no more than max_starts_per_day, and an alarm is raised', {
  timeout: PATIENCE,
}, async () => {
  const { url, bodies } = await listenForAlarms();
  const managementPort = await freePort();
  await world.install(
    shopTarget(world.shop),
    `max_starts_per_day: ${MAX_STARTS}\nmanagement_port: ${managementPort}\nalarms: { webhook: '${url}' }\nwebhooks: { allow_private: true }`,
  );
  await submitAll(SUBMITTED);
  await until(
    async () => (await customersLeft()) === SUBMITTED - MAX_STARTS,
    () => 'not as many were erased as may be',
  );
  await until(
    () => bodies.length > 0,
    () => 'no alarm arrived',
    60_000,
  );
  expect(bodies.map((body) => JSON.parse(body))).toEqual([
    expect.objectContaining({ kind: 'daily_starts', controller_id: ACME }),
  ]);
  expect(await customersLeft()).toBe(SUBMITTED - MAX_STARTS);
  const metrics = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
  expect(metrics).toContain(`unwrite_requests{status="pending"} ${SUBMITTED - MAX_STARTS}\n`);
  await until(
    async () => {
      const scraped = await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
      return MEASURED.every((series) => scraped.includes(series));
    },
    () => 'the worker does not tell what it measures',
  );
  expect(metrics).toContain('unwrite_alarm_last_raised_timestamp_seconds{kind="daily_starts"}');
  await until(
    async () => (await world.unwrite.command('alarms', 'list'))[0].delivered_time !== null,
    () => 'the alarm is not known to be delivered',
  );
  for (const text of [metrics, world.unwrite.output(), ...bodies])
    expect(text).not.toContain('@example.com');
});
