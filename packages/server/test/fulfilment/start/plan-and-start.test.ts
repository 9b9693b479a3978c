import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { createPlanRequest } from '../../../src/fulfilment/start/plan-request.ts';
import { ACME, BY, GLOBEX } from '../../contract/fulfilment/under-test.ts';
import { aTarget, type BatchWorld, openBatchWorld } from '../batch-world.ts';

describe('the plan of a request', () => {
  const shop = aTarget({ name: 'shop', controllers: [ACME] });

  it('has a task for every target of its controller', () => {
    const plan = createPlanRequest([aTarget(), shop]);
    expect(plan(ACME, true).tasks.map(({ target }) => target)).toEqual(['crm', 'shop']);
    expect(plan(GLOBEX, true).tasks.map(({ target }) => target)).toEqual(['crm']);
    expect(plan(ACME, true).plan.targets).toEqual([
      { target: 'crm', connector: 'module', digest: 'digest-of-crm' },
      { target: 'shop', connector: 'module', digest: 'digest-of-crm' },
    ]);
  });

  it("has another id as soon as a target's configuration changes", () => {
    const idOf = (digest: string) =>
      createPlanRequest([aTarget({ digest })])(ACME, true).plan.planId;
    expect(idOf('a')).toBe(idOf('a'));
    expect(idOf('a')).not.toBe(idOf('b'));
  });

  it.each([
    ['no target is configured', [], true, 'no target is configured for this controller'],
    ['no target is its controller’s', [shop], true, 'no target is configured for this controller'],
    ['it has no identities', [aTarget()], false, 'the request has no identities: add them'],
  ])('is held for an operator if %s', (_, targets, namesSomebody, detail) => {
    const { tasks } = createPlanRequest(targets)(GLOBEX, namesSomebody);
    expect(tasks).toMatchObject([{ target: 'manual', connector: 'manual' }]);
    expect(tasks[0]?.held?.reason).toBe('manual');
    expect(tasks[0]?.held?.detail).toContain(detail);
  });
});

describe('the sweep', () => {
  let world: BatchWorld;
  beforeEach(async () => {
    world = await openBatchWorld();
  });
  afterEach(() => world.close());

  it('starts what is due, and says how many and whether there may be more', async () => {
    await world.scene.create();
    await world.scene.create();
    expect(await world.startDue()).toEqual({ started: 2, more: false });
    expect(await world.startDue()).toEqual({ started: 0, more: false });
  });

  it('takes hundreds at a time and says that there are more', async () => {
    for (let n = 0; n < 501; n++) await world.scene.create();
    expect(await world.startDue()).toEqual({ started: 500, more: true });
    expect(await world.startDue()).toEqual({ started: 1, more: false });
  });

  it('starts people with many identities a few at a time, so that creates do not wait for the store', async () => {
    const emails = Array.from({ length: 500 }, (_, n) => `${n}@example.com`);
    const identities = emails.map((email) => new Identity('email', email));
    for (let n = 0; n < 25; n++) await world.scene.create({ identities });
    await world.scene.create();
    const sizes: number[] = [];
    const start = world.under.store.startRequests;
    const written = vi.spyOn(world.under.store, 'startRequests');
    written.mockImplementation((commands, ...rest) => {
      sizes.push(commands.flatMap(({ digests }) => digests).length);
      return start(commands, ...rest);
    });

    expect(await world.startDue()).toEqual({ started: 26, more: false });

    expect(Math.max(...sizes)).toBeLessThanOrEqual(2500);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(25 * 500 + 1);
  });

  it('starts the one request of a controller together with the hundreds that another has before it', async () => {
    for (let n = 0; n < 1200; n++) await world.scene.create();
    const one = await world.scene.create({ controllerId: GLOBEX });
    expect(await world.startDue()).toEqual({ started: 500, more: true });
    expect(await world.scene.tasksOf(one)).toHaveLength(1);
    // Those behind are not looked for each time: it costs.
    const next = await world.scene.create({ controllerId: GLOBEX });
    expect(await world.startDue()).toEqual({ started: 500, more: true });
    expect(await world.scene.tasksOf(next)).toHaveLength(0);
    expect(await world.startDue()).toEqual({ started: 202, more: false });
  });

  it('holds a request without identities for a person, and plans it again when it gets some', async () => {
    const request = await world.erasureOf([]);
    expect(await world.scene.tasksOf(request)).toMatchObject([{ target: 'manual', state: 'held' }]);
    const sealed = world.under.sealIdentities(request, [new Identity('email', 'j@example.com')]);
    await world.under.operator.identify(request, { sealed, digests: [Buffer.alloc(32)] }, BY);
    expect(await world.startDue()).toEqual({ started: 1, more: false });
    expect(await world.scene.tasksOf(request)).toMatchObject([{ target: 'crm', state: 'waiting' }]);
  });

  it('is not stopped by identities that cannot be opened', async () => {
    const broken = await world.scene.create();
    const other = await world.scene.create();
    const sealed = world.under.sealIdentities(other, []);
    await world.under.operator.identify(broken, { sealed, digests: [] }, BY);
    expect(await world.startDue()).toEqual({ started: 2, more: false });
    expect(await world.scene.tasksOf(broken)).toHaveLength(1);
  });
});
