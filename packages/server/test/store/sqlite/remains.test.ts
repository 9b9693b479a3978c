import { expect, it } from 'vitest';
import { countRemains } from './describe-remains.ts';

it('no wrapped key is left in the file after "unwrite store compact", and few before', async () => {
  const { before, after, keys } = await countRemains(2000);
  expect(after).toBe(0);
  expect(before / keys).toBeLessThan(0.01);
});
