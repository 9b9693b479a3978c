// That every planted fault can be planted: its text is in its file, and the tests that catch it exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './run.mjs';

const parts = readdirSync(join(ROOT, 'scripts/faults'));

it.each(parts)('the faults of %s fit the source', async (part) => {
  const { FAULTS: faults } = await import(`./faults/${part}`);
  const unfit = faults.filter(({ file, find, caughtBy }) => {
    const path = join(ROOT, file);
    const isThere = existsSync(path) && readFileSync(path, 'utf8').includes(find);
    return !isThere || !caughtBy.every((test) => existsSync(join(ROOT, test.split(':')[0])));
  });
  expect(unfit.map(({ what }) => what)).toEqual([]);
});
