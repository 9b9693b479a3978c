// Targets that only give numbers, as endpoints do: what they report, and what they leave out.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TargetDown } from '../../../src/domain/target/connector.ts';
import { aRow, aTarget, type BatchWorld, FIRST_RETRY_MS, openBatchWorld } from '../batch-world.ts';
import { TABLE } from '../memory-connector.ts';

const JANE = 'jane@example.com';

describe('a target that only gives numbers', () => {
  let world: BatchWorld;
  beforeEach(async () => {
    world = await openBatchWorld([aTarget({ maxRowsPerSubject: 3 })]);
    world.connector.rows = [aRow(JANE), aRow(JANE), aRow(JANE)];
    world.connector.tricks.preview = async (_, subjects) =>
      subjects.map(() => ({
        outcome: 'found',
        counts: { [TABLE]: world.connector.rows.length },
        retained: {},
        keys: {},
        sharedWith: [],
      }));
  });
  afterEach(() => world.close());

  /** Takes away so many rows, and says so. */
  const eraseSome = (most: number) => {
    const { connector } = world;
    connector.tricks.erase = async (_, orders) =>
      orders.map(() => {
        const gone = connector.rows.slice(0, most).length;
        connector.rows = connector.rows.slice(most);
        return { outcome: 'erased', counts: { [TABLE]: gone } };
      });
  };

  it('is not trusted to have erased everything if it reports fewer rows than it found', async () => {
    eraseSome(2);
    world.connector.tricks.verify = async (_, orders) =>
      orders.map(() => ({ outcome: 'gone', how: 'reported' }));
    const request = await world.erasureOf([JANE]);
    await world.run();
    expect(await world.scene.task(request, 'crm')).toMatchObject({
      state: 'failed',
      reason: 'still_there',
      reported: { [TABLE]: { rows: 2 } },
    });
    world.clock.now += FIRST_RETRY_MS;
    await world.run();
    expect(world.connector.rows).toEqual([]);
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'erased',
      verified: 'reported, not re-queried',
      tables: { [TABLE]: { rows: 3 } },
    });
  });

  it('is trusted if others deleted rows in between, so that it does not find them any more', async () => {
    world.connector.tricks.erase = async (_, orders) => {
      world.connector.rows = [];
      return orders.map(() => ({ outcome: 'erased', counts: { [TABLE]: 1 } }));
    };
    world.connector.tricks.verify = async (_, orders) =>
      orders.map(() => ({ outcome: 'gone', how: 'reported' }));
    const request = await world.erasureOf([JANE]);
    await world.run();
    world.connector.tricks.erase = async (_, orders) =>
      orders.map(() => ({ outcome: 'erased', counts: {} }));
    world.clock.now += FIRST_RETRY_MS;
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'erased',
      tables: { [TABLE]: { rows: 1, already_gone: 2 } },
    });
  });

  it('has rows claimed by nobody if two requests of one person were interrupted together', async () => {
    world.connector.tricks.erase = async () => {
      world.connector.rows = [];
      throw new TargetDown('timeout', 'no answer in time');
    };
    const older = await world.erasureOf([JANE]);
    const younger = await world.erasureOf([JANE, 'j@example.com']);
    await world.run();
    eraseSome(0);
    world.clock.now += FIRST_RETRY_MS;
    await world.run();
    for (const request of [older, younger])
      expect(await world.evidenceOf(request)).toMatchObject({
        action: 'already_erased',
        tables: { [TABLE]: { rows: 0, unconfirmed: 3 } },
      });
  });

  it.each(['before', 'after'])(
    'is left to a person if it cannot be searched any more %s it began to erase',
    async (when) => {
      const { connector } = world;
      connector.tricks.erase = async () => {
        throw new TargetDown('timeout', 'no answer in time');
      };
      if (when === 'before') connector.rows.push(aRow(JANE));
      const request = await world.erasureOf([JANE]);
      await world.run();
      if (when === 'before') {
        const { taskNo } = await world.scene.task(request, 'crm');
        await world.under.operator.release(taskNo, { actor: 'operator:o', now: world.clock.now });
      }
      connector.tricks = {
        preview: async (_, subjects) => subjects.map(() => ({ outcome: 'unmatched' })),
        erase: async (_, orders) => orders.map(() => ({ outcome: 'erased', counts: {} })),
        verify: async (_, orders) => orders.map(() => ({ outcome: 'gone', how: 'requeried' })),
      };
      world.clock.now += FIRST_RETRY_MS;
      await world.run();
      expect(await world.scene.task(request, 'crm')).toMatchObject({
        state: 'held',
        reason: 'no_usable_identity',
      });
    },
  );
});
