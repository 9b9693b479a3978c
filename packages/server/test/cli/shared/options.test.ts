import { describe, expect, it } from 'vitest';
import { systemUser } from '../../../src/cli/shared/options.ts';

describe('the name of an operator at the command line', () => {
  it('is the name of the account', () => {
    expect(systemUser(() => ({ username: 'jane' }))).toBe('jane');
  });

  it('is the number of an account without a name, as there is in containers', () => {
    const named = systemUser(() => {
      throw new Error('ENOENT: no entry for this user id');
    });
    expect(named).toBe(`uid ${process.getuid?.() ?? 'unknown'}`);
  });
});
