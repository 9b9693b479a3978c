import { describe, expect, it } from 'vitest';
import { slowExpressionsIn, slowness } from './helpers/slow-expressions.ts';

const find = (expression: RegExp) => slowness({ place: 'here', expression });

describe('the search for slow regular expressions', () => {
  it.each([/^basic(?: +([A-Za-z0-9+/=_-]*) *)?$/i, /\s+$/, /^(a+)+$/, /,\s*\s*$/])(
    'finds %s',
    (expression) => {
      expect(find(expression)).toBeDefined();
    },
  );

  it.each([/^[a-z]+$/, /^\d{1,9}[smhd]?$/, /^bearer +([A-Za-z0-9._~+/=-]+) *$/i])(
    'lets %s pass',
    (expression) => {
      expect(find(expression)).toBeUndefined();
    },
  );
});

describe('every regular expression that sees what callers send', () => {
  it('takes time in proportion to its input', () => {
    const folders = ['http', 'auth'].map((folder) => `packages/server/src/${folder}`);
    expect(slowExpressionsIn('packages/protocol/src', ...folders)).toEqual([]);
  });
});
