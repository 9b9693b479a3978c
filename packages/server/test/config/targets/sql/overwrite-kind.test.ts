import { describe, expect, it } from 'vitest';
import { overwrite } from '../../../../src/config/targets/sql/overwrite-kind.ts';

describe('what a column is overwritten with', () => {
  it.each<[unknown, object]>([
    ['erased', { kind: 'value', value: 'erased' }],
    [0, { kind: 'value', value: 0 }],
    [false, { kind: 'value', value: false }],
    [{ hash: true }, { kind: 'hash' }],
    [{ now: true }, { kind: 'now' }],
    [
      { unique: 'erased-{random}@example.invalid' },
      { kind: 'unique', text: 'erased-{random}@example.invalid' },
    ],
    [
      { json: { '$.a.b': null, '$["c d"]': { remove: true }, '$.list[0]': 'x', '$.n': 1 } },
      {
        kind: 'json',
        changes: {
          '$.a.b': { kind: 'value', value: null },
          '$["c d"]': { kind: 'remove' },
          '$.list[0]': { kind: 'value', value: 'x' },
          '$.n': { kind: 'value', value: 1 },
        },
      },
    ],
  ])('%j is read', (raw, read) => {
    expect(overwrite.read(raw)).toEqual(read);
  });

  it.each<[unknown, RegExp]>([
    [{ hash: true, now: true }, /must be null, a string/],
    [{ now: false }, /must be null, a string/],
    [{ json: [] }, /must be null, a string/],
    [{ unique: 'erased' }, /unique must be a string with \{random\} in it once/],
    [{ unique: '{random}{random}' }, /unique must be a string with \{random\} in it once/],
    [{ unique: 7 }, /unique must be a string with \{random\} in it once/],
    [{ json: {} }, /json must name a path/],
    [{ json: { a: null } }, /json: the path a must begin with "\$"/],
    [{ json: { '$..a': null } }, /json: the path \$\.\.a cannot be read from "\.\.a" on/],
    [{ json: { '$.a': [] } }, /json: \$\.a must be null, a string/],
    [{ json: { '$.a': { remove: false } } }, /json: \$\.a must be null, a string/],
    [{ json: { '$.a.b': null, '$.a': null } }, /json: \$\.a\.b is within \$\.a; keep one/],
    [{ json: { '$.a': null, '$["a"]': null } }, /keep one of them/],
    [{ json: { '$.a[0]': { remove: true } } }, /would move the items behind it; write null/],
  ])('%j is refused', (raw, message) => {
    expect(() => overwrite.read(raw)).toThrow(message);
  });
});
