// The server is stopped, and comes back with other targets.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { type Crm, crmTarget, NO_FAULT, startCrm } from './set-up/crm.ts';
import { makeInstallation, type TestInstallation } from './set-up/installation.ts';
import { CONTROLLERS, emailOf, fillShop, type ShopSize, shopTarget } from './set-up/shop.ts';
import { type ShopDatabase, SQLITE } from './set-up/shop-database.ts';

const SIZE: ShopSize = { customers: 20, ordersEach: 2, heavy: 0, ordersOfTheHeavy: 0 };
const ACME = CONTROLLERS[0];
const PATIENCE = 60_000;
const configOf = (targets: string) => `cancellation_window: 0s\ntargets:\n${targets}`;

let folder: TemporaryFolder;
let shop: ShopDatabase;
let unwrite: TestInstallation;
const closings: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = makeTemporaryFolder();
  shop = await SQLITE.open(folder.path);
  await fillShop(SQLITE, shop, SIZE);
});
afterEach(async () => {
  await unwrite.kill('SIGTERM');
  for (const close of closings.splice(0)) await close();
  await shop.close();
  folder.remove();
});

async function install(targets: string): Promise<void> {
  unwrite = await makeInstallation(folder.path, configOf(targets));
  await unwrite.start();
}

async function restartWith(targets: string): Promise<void> {
  expect(await unwrite.kill('SIGTERM')).toBe(0);
  unwrite.configure(configOf(targets));
  await unwrite.start();
}

const submit = (customer: number) => unwrite.submit(ACME, [['email', emailOf(customer)]]);

async function targetsOf(id: string): Promise<string[]> {
  const { plan } = await unwrite.command('request', 'show', id);
  return plan.map(({ target }: { target: string }) => target).sort();
}

/** Where there may be other nodes, what this one does not know is left to them for two minutes. */
const untilRemoved = () => (unwrite.store.kind === 'postgres' ? 150_000 : 30_000);

const countErased = async (): Promise<number> =>
  (await unwrite.command('task', 'list', '--state', 'erased')).length;

describe('with other targets than before', { timeout: 4 * PATIENCE }, () => {
  const failing: Crm['fault'] = (_, response) => {
    // Not 503, which is asked again within the batch, for seconds.
    response.writeHead(500).end();
    return 'sent';
  };

  it('a target that was added applies to requests that start later', async () => {
    const crm = await startCrm([0, 2, 4].map(emailOf), NO_FAULT);
    closings.push(crm.close);
    await install(shopTarget(shop, 'max_rows_per_subject: 2'));
    const earlier = await submit(0);
    await until(
      async () => (await unwrite.command('task', 'list', '--state', 'held')).length === 1,
      () => 'it is not held',
    );
    await restartWith(shopTarget(shop) + crmTarget(crm.url));
    const later = await submit(2);
    await unwrite.untilCompleted(ACME, [later]);
    await unwrite.command('task', 'release', earlier, '--as', 'olga');
    await unwrite.untilCompleted(ACME, [earlier]);
    expect(await targetsOf(earlier)).toEqual(['shop']);
    expect(await targetsOf(later)).toEqual(['crm', 'shop']);
    expect([...crm.people]).toEqual([0, 4].map(emailOf));
  });

  it('the tasks of one that was removed are held, and end by a person or with its return', async () => {
    const crm = await startCrm([0, 2].map(emailOf), failing);
    closings.push(crm.close);
    await install(shopTarget(shop) + crmTarget(crm.url));
    const ids = [await submit(0), await submit(2)];
    const [retained = '', released = ''] = ids;
    await until(
      async () => (await countErased()) === 2,
      () => 'the shop is not done',
    );
    await restartWith(shopTarget(shop));
    const held = () => unwrite.command('task', 'list', '--target', 'crm', '--state', 'held');
    await until(
      async () => (await held()).length === 2,
      () => 'they are not held',
      untilRemoved(),
    );
    expect(await held()).toMatchObject([
      { reason: 'target_removed' },
      { reason: 'target_removed' },
    ]);
    expect(await unwrite.command('request', 'list', '--attention')).toHaveLength(2);
    for (const id of ids) expect(await unwrite.status(ACME, id)).toBe('in_progress');

    const why = ['--reason', 'the system was switched off', '--legal-basis', 'GDPR 17(1)'];
    await unwrite.command('task', 'retain', retained, ...why, '--as', 'olga');
    expect(await unwrite.status(ACME, retained)).toBe('completed');
    expect(await targetsOf(retained)).toEqual(['crm', 'shop']);

    crm.fault = NO_FAULT;
    await restartWith(shopTarget(shop) + crmTarget(crm.url));
    await unwrite.command('task', 'release', released, '--as', 'olga');
    await unwrite.untilCompleted(ACME, [released]);
    expect([...crm.people]).toEqual([emailOf(0)]);
  });
});
