import { describe, expect, it } from 'vitest';
import { EACH, isWithin, readJsonPath } from '../../../src/domain/target/json-path.ts';

describe('a path into JSON', () => {
  it.each([
    ['$.a', ['a']],
    ['$.contact.email', ['contact', 'email']],
    ['$["a b"]', ['a b']],
    ['$.list[0].name', ['list', 0, 'name']],
    ['$[2]', [2]],
    ['$.guests[*].email', ['guests', EACH, 'email']],
    ['$.cc[*][*]', ['cc', EACH, EACH]],
    ['$["0"]', ['0']],
    ['$["with \\"quotes\\" and \\\\"].x', ['with "quotes" and \\', 'x']],
    ['$["naïve.key[0]"]', ['naïve.key[0]']],
    ['$["\\u00e9"]', ['é']],
    ['$["$ref"]["*"]', ['$ref', '*']],
    ['$[""]', ['']],
  ])('%s is read into its parts', (text, path) => {
    expect(readJsonPath(text)).toEqual({ path });
  });

  it.each([
    'a.b',
    '',
    '$',
    '$.',
    '$.a.',
    '$..a',
    '$.*',
    '$.a[**]',
    '$.a[*',
    '$.a[-1]',
    '$.a[01]',
    '$.a[last]',
    '$.a[1 to 2]',
    "$['a']",
    '$.a-b',
    '$.naïve',
    '$.a b',
    '$["a',
    '$["a\n"]',
    '$["\\ud800"]',
    '$["\\u0000"]',
    '$.a[?(@.b)]',
    'lax $.a',
    `$${'.a'.repeat(51)}`,
  ])('%j is refused', (text) => {
    expect(readJsonPath(text)).toEqual({ problem: expect.stringContaining('$.contact.email') });
  });

  it('is within another that is the same or leads to it', () => {
    expect(isWithin(['a', 'b'], ['a'])).toBe(true);
    expect(isWithin(['a'], ['a'])).toBe(true);
    expect(isWithin(['a'], ['a', 'b'])).toBe(false);
    expect(isWithin(['ab'], ['a'])).toBe(false);
    expect(isWithin(['a', 0], ['a', EACH])).toBe(true);
    expect(isWithin(['a', EACH, 'b'], ['a', 7])).toBe(true);
    expect(isWithin(['a', 'b'], ['a', EACH])).toBe(false);
  });
});
