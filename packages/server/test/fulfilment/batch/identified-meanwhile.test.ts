// Identities are added while a worker hangs or after it has died: no row is claimed twice.
import { expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import { aRow, aTarget, type BatchWorld, openBatchWorld } from '../batch-world.ts';
import { TABLE } from '../memory-connector.ts';

const JANE = 'jane@example.com';

/** The worker of this run hangs in its preview until it may go on. */
async function hangInPreview(world: BatchWorld, target?: TargetConfig) {
  const { connector } = world;
  const previewing = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  connector.tricks.preview = async (honest) => {
    previewing.resolve();
    await mayGoOn.promise;
    return honest();
  };
  const first = world.run('crm', target);
  await previewing.promise;
  connector.tricks = {};
  return { first, goOn: mayGoOn.resolve };
}

/** The worker hangs for ever, before anything is erased. */
async function hangInErase(world: BatchWorld): Promise<void> {
  const { connector } = world;
  const erasing = Promise.withResolvers<void>();
  connector.tricks.erase = () => {
    erasing.resolve();
    return new Promise(() => undefined);
  };
  void world.run();
  await erasing.promise;
  connector.tricks = {};
}

async function identify({ under, clock }: BatchWorld, request: NewRequest, email: string) {
  const sealed = under.sealIdentities(request, [new Identity('email', email)]);
  const by = { actor: 'operator:olga', now: clock.now };
  await under.operator.identify(request, { sealed, digests: [Buffer.alloc(32, 7)] }, by);
  return by;
}

/** `rows`: what each of the runs claims. */
async function expectRows({ scene }: BatchWorld, request: NewRequest, rows: readonly number[]) {
  const tasks = await scene.tasksOf(request);
  expect(tasks.map(({ state }) => state)).toEqual(['erased', 'erased']);
  expect(tasks.map(({ evidence }) => evidence?.tables[TABLE]?.rows ?? 0)).toEqual(rows);
  expect(await scene.statusOf(request)).toBe('completed');
}

it('the later of two runs waits for the earlier one, so that no row is claimed by both', async () => {
  const world = await openBatchWorld();
  const { connector } = world;
  connector.rows = [aRow(JANE)];
  const request = await world.erasureOf([JANE]);
  const { first, goOn } = await hangInPreview(world);

  await identify(world, request, 'jane.doe@example.com');
  await expect(world.run()).rejects.toThrow('there is nothing to do at crm');
  goOn();
  await first;
  await world.run();

  await expectRows(world, request, [1, 0]);
  await world.close();
});

it('an earlier run that is released while the later one erases waits for it, and claims none of its rows', async () => {
  const world = await openBatchWorld();
  const { connector, under, scene, clock } = world;
  connector.rows = [aRow(JANE), aRow(JANE)];
  const request = await world.erasureOf([JANE]);
  const { first, goOn } = await hangInPreview(world, aTarget({ maxRowsPerSubject: 1 }));
  const by = await identify(world, request, 'jane.doe@example.com');
  goOn();
  expect((await first).outcomes).toMatchObject([{ outcome: 'held', reason: 'over_cap' }]);

  await hangInErase(world);
  const [earlier] = await scene.tasksOf(request);
  await under.operator.release(Number(earlier?.taskNo), by);
  await expect(world.run()).rejects.toThrow('there is nothing to do at crm');
  clock.now += 31_000;
  await world.run();
  await world.run();

  await expectRows(world, request, [0, 2]);
  await world.close();
});

it('rows that an older request of the same batch has just erased are not claimed by a younger one whose worker died', async () => {
  const world = await openBatchWorld();
  const { connector } = world;
  connector.rows = [aRow(JANE)];
  const identities = [new Identity('controller_customer_id', '7')];
  const older = await world.erasureOf([], { identities });
  const younger = await world.erasureOf([JANE]);
  await world.dieAfter('recordTransaction');
  await identify(world, older, JANE);
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
