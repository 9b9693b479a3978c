// Where no target can do it, a person has to: nothing is completed by nobody.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { makeInstallation, type TestInstallation } from './set-up/installation.ts';
import { CONTROLLERS, emailOf, fillShop, shopTarget } from './set-up/shop.ts';
import { type ShopDatabase, SQLITE } from './set-up/shop-database.ts';

const [ACME, BETA] = CONTROLLERS;
const OLGA = ['--as', 'olga'];
let folder: TemporaryFolder;
let unwrite: TestInstallation;
let shop: ShopDatabase;

beforeEach(async () => {
  folder = makeTemporaryFolder();
  shop = await SQLITE.open(folder.path);
  await fillShop(SQLITE, shop, { customers: 4, ordersEach: 1, heavy: 0, ordersOfTheHeavy: 0 });
});
afterEach(async () => {
  await unwrite.kill('SIGTERM');
  await shop.close();
  folder.remove();
});

async function install(targets: string): Promise<void> {
  unwrite = await makeInstallation(folder.path, `cancellation_window: 0s\n${targets}`);
  await unwrite.start();
}

interface Task {
  readonly subject_request_id: string;
  readonly detail: string;
}

async function untilManual(ids: readonly string[]): Promise<Task[]> {
  let tasks: Task[] = [];
  const areThere = async () => {
    tasks = await unwrite.command('manual', 'list');
    return tasks.length === ids.length;
  };
  await until(areThere, () => `for a person to do are ${JSON.stringify(tasks)}`);
  expect(new Set(tasks.map((it) => it.subject_request_id))).toEqual(new Set(ids));
  return tasks;
}

const confirm = (id: string) =>
  unwrite.command('manual', 'confirm', id, '--note', 'shredded the folder', ...OLGA);

describe('without any target', () => {
  it('every request waits for an operator, and only those that were confirmed are completed', async () => {
    await install('');
    const ids = [
      await unwrite.submit(ACME, [['email', emailOf(0)]]),
      await unwrite.submit(BETA, [['email', emailOf(0)]]),
      await unwrite.submit(ACME, []),
    ];
    const [first = '', second = '', nobody = ''] = ids;
    const tasks = await untilManual(ids);
    expect(await unwrite.command('request', 'list', '--attention')).toHaveLength(3);
    expect(tasks.find((it) => it.subject_request_id === nobody)?.detail).toContain(
      'has no identities',
    );

    expect(await confirm(first)).toMatchObject({ request_status: 'completed' });
    expect(await unwrite.status(ACME, first)).toBe('completed');
    expect(await unwrite.status(BETA, second)).toBe('in_progress');
    expect(await unwrite.status(ACME, nobody)).toBe('in_progress');
    expect(await confirm(nobody)).toMatchObject({ request_status: 'completed' });
    const { tasks: done } = await unwrite.command('request', 'show', nobody);
    expect(done).toMatchObject([
      { evidence: { action: 'confirmed', verified: 'confirmed by a person', by: 'operator:olga' } },
    ]);
    await untilManual([second]);
  });
});

describe('with a target', () => {
  it('a request without identities waits for an operator, who may add them', async () => {
    await install(`targets:\n${shopTarget(shop)}`);
    const id = await unwrite.submit(ACME, []);
    await untilManual([id]);
    await unwrite.command('request', 'identify', id, '--email', emailOf(0), ...OLGA);
    await until(
      async () => (await shop.query('SELECT id FROM customers WHERE id = 0')).length === 0,
      () => 'the customer is still there',
    );
    // Whether the manual task still stands is said by the list; nothing else may be open then.
    const left: Task[] = await unwrite.command('manual', 'list');
    for (const task of left) await confirm(task.subject_request_id);
    await unwrite.untilCompleted(ACME, [id]);
    expect(await shop.query('SELECT id FROM customers ORDER BY id')).toHaveLength(3);
  });

  it('a request without a target of its controller waits for an operator and changes no row', async () => {
    const target = shopTarget(shop).replace('tenant_column: account', 'controllers: [beta]');
    await install(`targets:\n${target}`);
    const id = await unwrite.submit(ACME, [['email', emailOf(0)]]);
    await untilManual([id]);
    expect(await unwrite.status(ACME, id)).toBe('in_progress');
    expect(await shop.query('SELECT id FROM customers')).toHaveLength(4);
  });
});
