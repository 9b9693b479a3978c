// Identities are added while a worker hangs or after it has died: no row is claimed twice.
import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { aRow, aTarget, openBatchWorld } from '../batch-world.ts';
import { TABLE } from '../memory-connector.ts';

const JANE = 'jane@example.com';

it('the later of two runs waits for the earlier one, so that no row is claimed by both', async () => {
  const world = await openBatchWorld();
  const { connector, under, scene, clock } = world;
  connector.rows = [aRow(JANE)];
  const request = await world.erasureOf([JANE]);
  const previewing = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  connector.tricks.preview = async (honest) => {
    previewing.resolve();
    await mayGoOn.promise;
    return honest();
  };
  const first = world.run();
  await previewing.promise;
  connector.tricks = {};

  const sealed = under.sealIdentities(request, [new Identity('email', 'jane.doe@example.com')]);
  const by = { actor: 'operator:olga', now: clock.now };
  await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32, 7)] }, by);
  await expect(world.run()).rejects.toThrow('there is nothing to do at crm');
  mayGoOn.resolve();
  await first;
  await world.run();

  const tasks = await scene.tasksOf(request);
  expect(tasks.map(({ state }) => state)).toEqual(['erased', 'erased']);
  const rows = tasks.map(({ evidence }) => evidence?.tables[TABLE]?.rows ?? 0);
  expect(rows).toEqual([1, 0]);
  expect(await scene.statusOf(request)).toBe('completed');
  await world.close();
});

it('an earlier run that is released while the later one erases waits for it, and claims none of its rows', async () => {
  const world = await openBatchWorld();
  const { connector, under, scene, clock } = world;
  connector.rows = [aRow(JANE), aRow(JANE)];
  const request = await world.erasureOf([JANE]);
  const previewing = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  connector.tricks.preview = async (honest) => {
    previewing.resolve();
    await mayGoOn.promise;
    return honest();
  };
  const first = world.run('crm', aTarget({ maxRowsPerSubject: 1 }));
  await previewing.promise;
  connector.tricks = {};
  const sealed = under.sealIdentities(request, [new Identity('email', 'jane.doe@example.com')]);
  const by = { actor: 'operator:olga', now: clock.now };
  await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32, 7)] }, by);
  mayGoOn.resolve();
  expect((await first).outcomes).toMatchObject([{ outcome: 'held', reason: 'over_cap' }]);

  const erasing = Promise.withResolvers<void>();
  connector.tricks.erase = () => {
    erasing.resolve();
    return new Promise(() => undefined);
  };
  void world.run();
  await erasing.promise;
  connector.tricks = {};
  const [earlier] = await scene.tasksOf(request);
  await under.operator.release(Number(earlier?.taskNo), by);
  await expect(world.run()).rejects.toThrow('there is nothing to do at crm');
  clock.now += 31_000;
  await world.run();
  await world.run();

  const tasks = await scene.tasksOf(request);
  expect(tasks.map(({ state }) => state)).toEqual(['erased', 'erased']);
  expect(tasks.map(({ evidence }) => evidence?.tables[TABLE]?.rows ?? 0)).toEqual([0, 2]);
  expect(await scene.statusOf(request)).toBe('completed');
  await world.close();
});

it('a later run waits for a held one that may have erased, and both do not claim the same rows', async () => {
  const world = await openBatchWorld();
  const { connector, under, scene, clock } = world;
  connector.rows = [aRow(JANE), aRow(JANE)];
  const request = await world.erasureOf([JANE]);
  const erasing = Promise.withResolvers<void>();
  connector.tricks.erase = () => {
    erasing.resolve();
    return new Promise(() => undefined);
  };
  void world.run();
  await erasing.promise;
  connector.tricks = {};
  const sealed = under.sealIdentities(request, [new Identity('email', 'jane.doe@example.com')]);
  const by = { actor: 'operator:olga', now: clock.now };
  await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32, 7)] }, by);
  clock.now += 31_000;
  const small = aTarget({ maxRowsPerSubject: 1 });
  const { outcomes } = await world.run('crm', small);
  expect(outcomes).toMatchObject([{ outcome: 'held', reason: 'over_cap' }]);
  await expect(world.run()).rejects.toThrow('there is nothing to do at crm');
  const [earlier] = await scene.tasksOf(request);
  await under.operator.release(Number(earlier?.taskNo), by);
  await world.run('crm', small);
  await world.run('crm', small);

  const tasks = await scene.tasksOf(request);
  expect(tasks.map(({ state }) => state)).toEqual(['erased', 'erased']);
  expect(tasks.map(({ evidence }) => evidence?.tables[TABLE]?.rows ?? 0)).toEqual([2, 0]);
  expect(await scene.statusOf(request)).toBe('completed');
  await world.close();
});

it('rows that an older request of the same batch has just erased are not claimed by a younger one whose worker died', async () => {
  const world = await openBatchWorld();
  const { connector, under, clock } = world;
  connector.rows = [aRow(JANE)];
  const identities = [new Identity('controller_customer_id', '7')];
  const older = await world.erasureOf([], { identities });
  const younger = await world.erasureOf([JANE]);
  await world.dieAfter('recordIntents');
  const email = new Identity('email', JANE);
  const sealed = under.sealIdentities(older, [email]);
  const by = { actor: 'operator:olga', now: clock.now };
  await under.operator.identify(older, { sealed, digests: [Buffer.alloc(32, 7)] }, by);
  await world.run();

  expect(connector.rows).toEqual([]);
  const [first] = await world.scene.tasksOf(older);
  expect(first?.evidence).toMatchObject({
    action: 'erased',
    tables: { [TABLE]: { rows: 1 } },
  });
  expect(await world.evidenceOf(younger)).toMatchObject({
    action: 'already_erased',
    already_erased_by: [older.subjectRequestId],
    tables: { [TABLE]: { rows: 0 } },
  });
  await world.close();
});
