import { expect, it } from 'vitest';
import { runHalving } from '../../../src/connectors/sql/halve.ts';
import { SqlFailure } from '../../../src/connectors/sql/session.ts';
import { addCounts } from '../../../src/connectors/sql/statements/read-counts.ts';
import { Identity } from '../../../src/domain/request/identity.ts';

/** A statement that is refused where one of these is among its items. */
const refusing = (refused: readonly number[]) => async (items: readonly number[]) => {
  if (items.some((item) => refused.includes(item)))
    throw new SqlFailure('other', 'refused', 'the trigger says no');
  return items.map(() => 'done');
};
const FAILED = { outcome: 'failed', code: 'refused', detail: 'the trigger says no' };

it('a statement that is refused for some items fails these alone', async () => {
  expect(await runHalving([1, 2, 3, 4], refusing([1]))).toEqual([FAILED, 'done', 'done', 'done']);
  expect(await runHalving([1, 2, 3, 4], refusing([4]))).toEqual(['done', 'done', 'done', FAILED]);
  expect(await runHalving([1, 2, 3, 4], refusing([3]))).toEqual(['done', 'done', FAILED, 'done']);
});

it('a statement that is refused for the first and the last item puts the target down', async () => {
  await expect(runHalving([1, 2, 3], refusing([1, 3]))).rejects.toMatchObject({
    name: 'TargetDown',
    code: 'refused',
  });
});

it('an identity that a hand-written statement answers as a name is no name of a count', () => {
  const identities = [new Identity('controller_customer_id', 'c-1')];
  const answer = (name: string) => ({ rows: [{ name, n: 1 }], columns: 2 });
  const counts = {};
  expect(() => addCounts(counts, answer('c-1'), { identities }, 'sql.verify')).toThrow(
    'a name that',
  );
  addCounts(counts, answer('c-2'), { identities }, 'sql.verify');
  expect(counts).toEqual({ 'c-2': 1 });
});
