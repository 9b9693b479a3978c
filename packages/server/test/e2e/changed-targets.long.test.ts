// The server is stopped, and comes back with other targets.
import { describe, expect, it } from 'vitest';
import { until } from '../helpers/until.ts';
import { type Crm, crmTarget, NO_FAULT, startCrm } from './set-up/crm.ts';
import { emailOf, shopTarget } from './set-up/shop.ts';
import { ACME, useShopInstallation } from './set-up/use-shop-installation.ts';

const world = useShopInstallation();
const { install, restartWith, submit, countErased } = world;

async function targetsOf(id: string): Promise<string[]> {
  const { plan } = await world.unwrite.command('request', 'show', id);
  return plan.map(({ target }: { target: string }) => target).sort();
}

/** Where there may be other nodes, what this one does not know is left to them for two minutes. */
const untilRemoved = () => (world.unwrite.store.kind === 'postgres' ? 150_000 : 30_000);

describe('with other targets than before', { timeout: 240_000 }, () => {
  const failing: Crm['fault'] = (_, response) => {
    // Not 503, which is asked again within the batch, for seconds.
    response.writeHead(500).end();
    return 'sent';
  };

  it('a target that was added applies to requests that start later', async () => {
    const crm = await startCrm([0, 2, 4].map(emailOf), NO_FAULT);
    world.closeAfter(crm.close);
    await install(shopTarget(world.shop, 'max_rows_per_subject: 2'));
    const earlier = await submit(0);
    await until(
      async () => (await world.unwrite.command('task', 'list', '--state', 'held')).length === 1,
      () => 'it is not held',
    );
    await restartWith(shopTarget(world.shop) + crmTarget(crm.url));
    const later = await submit(2);
    await world.unwrite.untilCompleted(ACME, [later]);
    await world.unwrite.command('task', 'release', earlier, '--as', 'olga');
    await world.unwrite.untilCompleted(ACME, [earlier]);
    expect(await targetsOf(earlier)).toEqual(['shop']);
    expect(await targetsOf(later)).toEqual(['crm', 'shop']);
    expect([...crm.people]).toEqual([0, 4].map(emailOf));
  });

  it('the tasks of one that was removed are held, and end by a person or with its return', async () => {
    const crm = await startCrm([0, 2].map(emailOf), failing);
    world.closeAfter(crm.close);
    await install(shopTarget(world.shop) + crmTarget(crm.url));
    const ids = [await submit(0), await submit(2)];
    const [retained = '', released = ''] = ids;
    await until(
      async () => (await countErased()) === 2,
      () => 'the shop is not done',
    );
    expect(await restartWith(shopTarget(world.shop))).toBe(0);
    const held = () => world.unwrite.command('task', 'list', '--target', 'crm', '--state', 'held');
    await until(
      async () => (await held()).length === 2,
      () => 'they are not held',
      untilRemoved(),
    );
    expect(await held()).toMatchObject([
      { reason: 'target_removed' },
      { reason: 'target_removed' },
    ]);
    expect(await world.unwrite.command('request', 'list', '--attention')).toHaveLength(2);
    for (const id of ids) expect(await world.unwrite.status(ACME, id)).toBe('in_progress');

    const why = ['--reason', 'the system was switched off', '--legal-basis', 'GDPR 17(1)'];
    await world.unwrite.command('task', 'retain', retained, ...why, '--as', 'olga');
    expect(await world.unwrite.status(ACME, retained)).toBe('completed');
    expect(await targetsOf(retained)).toEqual(['crm', 'shop']);

    crm.fault = NO_FAULT;
    await restartWith(shopTarget(world.shop) + crmTarget(crm.url));
    await world.unwrite.command('task', 'release', released, '--as', 'olga');
    await world.unwrite.untilCompleted(ACME, [released]);
    expect([...crm.people]).toEqual([emailOf(0)]);
  });
});
