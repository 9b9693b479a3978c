import { expect, it } from 'vitest';
import type { CheckLine } from '../../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import { checkTarget } from '../../../src/operator/target/check-target.ts';

const line = (level: CheckLine['level'], message: string): CheckLine => ({
  level,
  subject: 'orders',
  message,
});
const SHOP = { name: 'shop', connector: 'http' } as TargetConfig;

it('the check of a target says what is wrong first, each once, otherwise in the order of the plan', async () => {
  const found = [
    line('ok', 'first'),
    line('problem', 'a'),
    line('note', 'it'),
    line('warning', 'slow'),
    line('problem', 'b'),
    line('problem', 'a'),
    line('ok', 'last'),
  ];
  const { lines } = await checkTarget(SHOP, async () => ({ check: async () => found }));
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'problem a',
    'problem b',
    'warning slow',
    'note it',
    'ok first',
    'ok last',
  ]);
});
