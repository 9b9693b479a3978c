import { expect, it } from 'vitest';
import { rotationLines } from '../../../src/cli/keys/rotate.ts';

const rotation = { master_key: 'abc', done: false, retired: [] };

it('a rotation that no running server has taken up is not said to be in use', () => {
  const [first] = rotationLines(rotation, false);
  expect(first).toContain('no running server seals with it yet');
  expect(rotationLines(rotation, true)[0]).toBe('Sealed with abc from now on.');
});
