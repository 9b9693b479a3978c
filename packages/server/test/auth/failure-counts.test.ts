import { expect, it } from 'vitest';
import { createFailureCounts } from '../../src/auth/failure-counts.ts';

it('failures that other nodes have counted too are forgotten a window after the first of them', () => {
  let now = 1_000_000;
  const failures = createFailureCounts(() => now, 60_000);
  failures.add('cli_1');
  failures.learn('cli_1', { count: 9, ageMs: 50_000 });
  expect(failures.get('cli_1')).toEqual({ count: 9, since: 950_000 });

  failures.learn('cli_1', { count: 3, ageMs: 10_000 });
  expect(failures.get('cli_1')).toEqual({ count: 9, since: 950_000 });

  now += 10_000;
  expect(failures.get('cli_1')).toBeUndefined();
});
