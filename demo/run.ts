// npm run demo: a shop, a few hundred people who want to be forgotten, and the proof that they are.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Controller, type Credentials, createController } from './controller.ts';
import { BUSIEST, countRows, emailOf, makeShop, SHOP_CONFIG, stillThere } from './make-shop.ts';
import { offerConsole } from './offer-console.ts';
import { say, showProgress } from './progress.ts';
import { summarise, type Task } from './summary.ts';
import { startUnwrite, type Unwrite } from './unwrite.ts';

const CUSTOMERS = 5000;
const REQUESTS = 300;
/** No customer of the shop has these numbers. */
const STRANGERS = 10;
const PATIENCE_MS = 120_000;

const folder = join(process.cwd(), '.demo');
const shop = join(folder, 'shop.db');

function makeFolder(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  makeShop(shop, { customers: CUSTOMERS, ordersOfTheBusiest: 1200 });
  writeFileSync(join(folder, 'unwrite.config.yaml'), SHOP_CONFIG);
}

async function submitAll(controller: Controller, people: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const person of people) {
    ids.push(await controller.submit(emailOf(person)));
    showProgress('submitted', ids.length, people.length);
  }
  return ids;
}

async function untilCompleted(unwrite: Unwrite, controller: Controller, ids: readonly string[]) {
  const open = new Set(ids);
  let released = false;
  const deadline = performance.now() + PATIENCE_MS;
  while (open.size > 0) {
    if (performance.now() > deadline) {
      throw new Error(
        `${open.size} requests are not completed; cd .demo && npx unwrite request list --attention`,
      );
    }
    for (const id of open) {
      if ((await controller.status(id)) === 'completed') open.delete(id);
    }
    showProgress('completed', ids.length - open.size, ids.length);
    if (open.size === 1 && !released) released = releaseHeld(unwrite);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Writes the receipt of one request, verifies it, and verifies the audit log. */
function showProof(unwrite: Unwrite, id: string): void {
  const commands = [
    ['receipt', id, '--output', 'receipt.json'],
    ['receipt', 'verify', 'receipt.json'],
    ['audit', 'verify'],
  ];
  for (const args of commands)
    say(`$ npx unwrite ${args.join(' ')}`, unwrite.print(...args).trimEnd());
}

/** One customer has more orders than the limit allows: an operator checks and releases the task. */
function releaseHeld(unwrite: Unwrite): boolean {
  const [held] = unwrite.command('task', 'list', '--state', 'held') as Task[];
  if (held === undefined) return false;
  say(
    '',
    `  held for an operator: ${held.reason}: ${held.detail}`,
    `  $ npx unwrite task release ${held.task} --as demo`,
  );
  unwrite.command('task', 'release', String(held.task), '--as', 'demo');
  return true;
}

/** With the prefix that the command line has, and without a stack trace. */
function fail(error: unknown): void {
  console.error(`unwrite: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

const started = performance.now();
makeFolder();
const before = countRows(shop);
say(
  '',
  `A shop with ${before.customers} customers and ${before.orders} orders: .demo/shop.db`,
  'What Unwrite knows of it: .demo/unwrite.config.yaml',
  '',
);
const unwrite = await startUnwrite(folder).catch((error: unknown) => {
  fail(error);
  process.exit();
});
try {
  say(`Unwrite serves on ${unwrite.url}`);
  const client = unwrite.command('client', 'create', '--controller', 'demo') as Credentials;
  const controller = await createController(unwrite.url, client);
  const people = [
    BUSIEST,
    ...Array.from({ length: REQUESTS - STRANGERS - 1 }, (_, index) => 10 + index * 7),
    ...Array.from({ length: STRANGERS }, (_, index) => CUSTOMERS + 1 + index),
  ];
  const ids = await submitAll(controller, people);
  await untilCompleted(unwrite, controller, ids);

  const tasks = unwrite.command('task', 'list', '--limit', '100000') as Task[];
  const left = stillThere(shop, people);
  say('');
  showProof(unwrite, ids[1] ?? '');
  say('', ...summarise(tasks, before, countRows(shop)), '');
  say(
    `Asked of the shop itself: ${left} of these ${people.length} people are still there.`,
    'The receipt of one of them: .demo/receipt.json',
    `Done in ${((performance.now() - started) / 1000).toFixed(1)} s. Look around: cd .demo && npx unwrite request list`,
    '',
  );
  process.exitCode = left === 0 ? 0 : 1;
  await offerConsole(folder, unwrite);
} catch (error) {
  if (!unwrite.isStopping()) fail(error);
} finally {
  await unwrite.stop();
}
