import { expect, it } from 'vitest';
import { countRemains } from './describe-remains.ts';

it('none of a hundred thousand shredded keys is left in the files of the store', {
  timeout: 600_000,
}, async () => {
  const { before, after, keys } = await countRemains(100_000);
  console.log(`${before} of ${keys} wrapped keys were left before the file was written anew`);
  expect([after, keys]).toEqual([0, 100_000]);
});
