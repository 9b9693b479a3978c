// An attempt began to erase and nobody knows how it ended. Whatever ends the task then, its evidence says so.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TargetDown } from '../../../src/domain/target/connector.ts';
import { aRow, aTarget, type BatchWorld, FIRST_RETRY_MS, openBatchWorld } from '../batch-world.ts';
import { TABLE } from '../memory-connector.ts';

const JANE = 'jane@example.com';
const WHY = { reason: 'a claim is pending', legalBasis: 'GDPR 17(3)(e)' };

describe('a task whose last attempt may have erased', () => {
  let world: BatchWorld;
  let by: { actor: string; now: number };
  beforeEach(async () => {
    world = await openBatchWorld();
    by = { actor: 'operator:olga', now: world.clock.now };
    world.connector.rows = [aRow(JANE), aRow(JANE)];
  });
  afterEach(() => world.close());

  const loseAnswer = () => {
    world.connector.tricks.erase = async (honest) => {
      honest();
      throw new TargetDown('unreachable', 'the connection was cut');
    };
  };
  const taskOf = (request: Parameters<BatchWorld['evidenceOf']>[0]) =>
    world.scene.task(request, 'crm');

  it('says on being retained how many rows may be gone', async () => {
    loseAnswer();
    const request = await world.erasureOf([JANE]);
    await world.run();
    expect(world.connector.rows).toEqual([]);
    await world.under.operator.retain((await taskOf(request)).taskNo, WHY, by);
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'retained',
      tables: { [TABLE]: { action: 'erase', rows: 0, unconfirmed: 2 } },
    });
  });

  it('says so beside what earlier attempts have reported', async () => {
    world.connector.tricks.verify = async (_, orders) =>
      orders.map(() => ({ outcome: 'remains', counts: { [TABLE]: 1 } }));
    const request = await world.erasureOf([JANE]);
    await world.run();
    world.connector.rows = [aRow(JANE)];
    loseAnswer();
    world.clock.now += FIRST_RETRY_MS;
    await world.run();
    await world.under.operator.retain((await taskOf(request)).taskNo, WHY, by);
    const { tables, verified } = (await world.evidenceOf(request)) ?? {};
    expect(tables?.[TABLE]).toMatchObject({ rows: 2 });
    expect(tables?.[TABLE]?.unconfirmed).toBeGreaterThanOrEqual(1);
    expect(verified).toBe('reported, not re-queried');
  });

  it('says on being confirmed by a person how many rows may have been erased before', async () => {
    loseAnswer();
    const request = await world.erasureOf([JANE]);
    await world.run();
    const { connector: _, file: __, options: ___, timeout: ____, ...common } = aTarget();
    world.clock.now += FIRST_RETRY_MS;
    await world.run('crm', { ...common, connector: 'manual', instructions: null });
    await world.under.operator.confirm((await taskOf(request)).taskNo, 'looked there', by);
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'confirmed',
      tables: { [TABLE]: { rows: 0, unconfirmed: 2 } },
    });
  });

  it('says so beside what was erased at a new address', async () => {
    loseAnswer();
    const request = await world.erasureOf([JANE]);
    await world.run();
    world.connector.tricks = {};
    const moved = aTarget({ planDigest: 'another place' });
    world.clock.now += FIRST_RETRY_MS;
    world.connector.rows = [aRow(JANE)];
    world.connector.tricks.verify = async (_, orders) =>
      orders.map(() => ({ outcome: 'remains', counts: { [TABLE]: 1 } }));
    await world.run('crm', moved);
    world.connector.tricks = {};
    world.connector.rows = [];
    world.clock.now += FIRST_RETRY_MS * 4;
    await world.run('crm', moved);
    expect((await world.evidenceOf(request))?.tables[TABLE]).toMatchObject({
      rows: 1,
      unconfirmed: 2,
    });
  });

  it('does not say "not found" where nothing is found at the new address', async () => {
    loseAnswer();
    const request = await world.erasureOf([JANE]);
    await world.run();
    world.connector.tricks = {};
    const moved = aTarget({ planDigest: 'another place' });
    world.clock.now += FIRST_RETRY_MS;
    await world.run('crm', moved);
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'already_erased',
      tables: { [TABLE]: { rows: 0, unconfirmed: 2 } },
    });
  });

  describe('and whose next attempt the target refuses, for an operator to decide,', () => {
    const refuse = async (...erased: Record<string, number>[]) => {
      world.connector.tricks.erase = async () => {
        world.connector.rows = world.connector.rows.slice(1);
        throw new TargetDown('unreachable', 'the connection was cut');
      };
      const request = await world.erasureOf([JANE]);
      await world.run();
      world.connector.tricks.erase = async (_, orders) =>
        orders.map(() => {
          const [counts] = erased;
          return {
            outcome: 'held',
            reason: 'shared',
            detail: '',
            ...(counts && { erased: counts }),
          };
        });
      world.clock.now += FIRST_RETRY_MS;
      await world.run();
      world.connector.tricks = {};
      const { taskNo, state } = await taskOf(request);
      expect(state).toBe('held');
      return { request, taskNo };
    };

    it('says after a release what the lost attempt may have erased', async () => {
      const { request, taskNo } = await refuse();
      await world.under.operator.release(taskNo, { ...by, now: world.clock.now });
      await world.run();
      expect(world.connector.rows).toEqual([]);
      const evidence = await world.evidenceOf(request);
      expect(evidence).toMatchObject({ action: 'erased' });
      expect(evidence?.tables[TABLE]).toEqual({ action: 'erase', rows: 1, unconfirmed: 1 });
    });

    it('says on being retained how many rows may be gone', async () => {
      const { request, taskNo } = await refuse();
      await world.under.operator.retain(taskNo, WHY, by);
      expect((await world.evidenceOf(request))?.tables[TABLE]).toMatchObject({ unconfirmed: 1 });
    });

    it('says so on being retained beside what the refused attempt reported', async () => {
      const { request, taskNo } = await refuse({ [TABLE]: 1 });
      await world.under.operator.retain(taskNo, WHY, by);
      const { rows, unconfirmed } = (await world.evidenceOf(request))?.tables[TABLE] ?? {};
      expect(rows).toBe(1);
      expect(unconfirmed).toBeGreaterThanOrEqual(1);
    });
  });

  it('says nothing of it where the attempt is known to have changed nothing', async () => {
    world.connector.tricks.verify = async () => {
      throw new TargetDown('unreachable', 'the connection was cut');
    };
    const request = await world.erasureOf([JANE]);
    await world.run();
    await world.under.operator.retain((await taskOf(request)).taskNo, WHY, by);
    expect((await world.evidenceOf(request))?.tables[TABLE]).toEqual({ action: 'erase', rows: 2 });
  });
});

describe('rows that a request had erased before an operator retained the rest', () => {
  it('are not claimed by another request of the person whose worker died before erasing them', async () => {
    const world = await openBatchWorld();
    world.connector.rows = [aRow(JANE), aRow(JANE)];
    const one = await world.erasureOf([JANE]);
    await world.dieAfter('recordTransaction');
    world.clock.now -= 31_000 - 1;
    const other = await world.erasureOf([JANE]);
    world.connector.tricks.verify = async (_, orders) =>
      orders.map(() => ({ outcome: 'remains', counts: { [TABLE]: 1 } }));
    await world.run();
    world.connector.tricks = {};
    const { taskNo } = await world.scene.task(other, 'crm');
    await world.under.operator.retain(taskNo, WHY, {
      actor: 'operator:olga',
      now: world.clock.now,
    });
    world.clock.now += 31_000;
    await world.run();
    expect((await world.evidenceOf(other))?.tables[TABLE]?.rows).toBe(2);
    expect(await world.evidenceOf(one)).toMatchObject({ action: 'already_erased' });
    expect((await world.evidenceOf(one))?.tables[TABLE]?.rows ?? 0).toBe(0);
    await world.close();
  });
});

describe('a task that has erased, and whose target cannot use its identities any more', () => {
  it('has the erased rows in its evidence, even if an attempt in between was stopped by a pause', async () => {
    const world = await openBatchWorld();
    world.connector.rows = [aRow(JANE), aRow(JANE)];
    const request = await world.erasureOf([JANE]);
    world.connector.tricks.verify = async (_, orders) =>
      orders.map(() => ({ outcome: 'remains', counts: { [TABLE]: 1 } }));
    await world.run();
    world.connector.tricks = {};
    world.connector.rows = [aRow(JANE)];
    world.clock.now += FIRST_RETRY_MS;
    await world.run('crm', aTarget({ mode: 'preview' }));
    expect(await world.scene.task(request, 'crm')).toMatchObject({ state: 'held' });
    world.connector.rows = [];
    world.connector.tricks.preview = async (_, subjects) =>
      subjects.map(() => ({ outcome: 'unmatched' }));
    const { taskNo } = await world.scene.task(request, 'crm');
    await world.under.operator.release(taskNo, { actor: 'operator:olga', now: world.clock.now });
    await world.run('crm', aTarget({ whenUnmatched: 'skip' }));
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'erased',
      tables: { [TABLE]: { rows: 2 } },
    });
    await world.close();
  });
});
