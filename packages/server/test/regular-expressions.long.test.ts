import { expect, it } from 'vitest';
import { slowExpressionsIn } from './helpers/slow-expressions.ts';

it('every regular expression in the sources takes time in proportion to its input', () => {
  expect(slowExpressionsIn('packages/protocol/src', 'packages/server/src')).toEqual([]);
});
