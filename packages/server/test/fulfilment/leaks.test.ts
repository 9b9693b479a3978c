// Whatever a connector does, who is meant is nowhere in the store, in clear or in any disguise.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { createFindLeaks } from '../helpers/find-leaks.ts';
import { openSqliteFulfilment } from '../helpers/stores/open-fulfilment-store.ts';
import { openPostgresFulfilment } from '../helpers/stores/open-postgres-fulfilment.ts';
import { aRow, type BatchWorld, openBatchWorld } from './batch-world.ts';

const MARK = 'Zk7qPersonMark91xw';
const EMAIL = `${MARK}@example.com`;
const findLeaks = createFindLeaks([MARK]);

const stores = [
  ['SQLite', openSqliteFulfilment],
  ...((await hasPostgres()) ? [['PostgreSQL', openPostgresFulfilment] as const] : []),
] as const;

describe.each(stores)('who is meant, in %s,', (_, open) => {
  let world: BatchWorld;
  beforeEach(async () => {
    world = await openBatchWorld(undefined, undefined, undefined, open);
    world.connector.rows = [{ ...aRow(EMAIL), id: MARK }, aRow(EMAIL)];
  });
  afterEach(() => world.close());

  const leaks = async () =>
    (await world.under.bytes()).flatMap((bytes) => findLeaks('the store', bytes));

  it('is nowhere in the store after an erasure, a crash and a hold', async () => {
    await world.erasureOf([EMAIL]);
    await world.dieAfter('recordTransaction');
    await world.dieAfter('erase');
    await world.run();
    await world.erasureOf([EMAIL]);
    world.connector.rows = Array.from({ length: 101 }, () => aRow(EMAIL));
    await world.run();
    expect(await leaks()).toEqual([]);
  });

  const named = (name: string) => Object.assign(new Error('no'), { name });

  it.each([
    ['an error', () => new Error(`duplicate key: ${EMAIL}`)],
    ['a text', () => `no ${EMAIL}`],
    ['an error with a cause', () => new TypeError(EMAIL, { cause: new Error(EMAIL) })],
    ['an error of that name', () => named(EMAIL)],
    ['an error of a name that is almost one', () => named(`${MARK} Error`)],
    ['nothing', () => undefined],
  ])(
    'is neither in the outcomes nor in the store when a connector throws %s',
    async (_, thrown) => {
      for (const verb of ['preview', 'erase', 'verify'] as const) {
        world.connector.tricks = { [verb]: () => Promise.reject(thrown()) };
        const request = await world.erasureOf([EMAIL]);
        const { down, outcomes } = await world.run();
        expect(down?.code).toBe('connector_error');
        const { taskNo } = await world.scene.task(request, 'crm');
        expect(outcomes.find((one) => one.taskNo === taskNo)).toMatchObject({ outcome: 'waiting' });
        expect(findLeaks('the outcomes', JSON.stringify(outcomes))).toEqual([]);
        expect(findLeaks('the error', `${down?.stack} ${down?.message}`)).toEqual([]);
      }
      expect(await leaks()).toEqual([]);
    },
  );
});
