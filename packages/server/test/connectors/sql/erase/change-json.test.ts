import { describe, expect, it } from 'vitest';
import { changeJson, isJsonChanged } from '../../../../src/connectors/sql/erase/change-json.ts';
import type { JsonChange } from '../../../../src/domain/target/target.ts';

const set = (value: string | number | boolean | null): JsonChange => ({ kind: 'value', value });
const REMOVE: JsonChange = { kind: 'remove' };

describe('parts of a JSON text', () => {
  it.each<[string, Record<string, JsonChange>, string]>([
    ['{"a": {"b": "x"}, "c": 1}', { '$.a.b': set(null) }, '{"a": {"b": null}, "c": 1}'],
    ['{"a": "x", "b": "y"}', { '$.a': REMOVE }, '{"b": "y"}'],
    ['{"a": "x", "b": "y"}', { '$.b': REMOVE }, '{"a": "x"}'],
    ['{"a": "x", "b": "y", "c": 1}', { '$.b': REMOVE, '$.a': REMOVE }, '{"c": 1}'],
    ['{ "a" : 1 }', { '$.a': REMOVE }, '{  }'],
    ['{"a b": "x"}', { '$["a b"]': set('é "q"') }, '{"a b": "é \\"q\\""}'],
    ['{"l": ["x", {"n": "y"}]}', { '$.l[0]': set(0), '$.l[1].n': REMOVE }, '{"l": [0, {}]}'],
    ['["x"]', { '$[0]': set(false) }, '[false]'],
    // A part that is not there stays absent.
    ['{"a": "x"}', { '$.b': set('y'), '$.a.b': set(1), '$.a[0]': set(1) }, '{"a": "x"}'],
    ['null', { '$.a': set(1) }, 'null'],
    ['', { '$.a': set(1) }, ''],
    ['  ', { '$.a': set(1) }, '  '],
    // Digits, spelling and order of the rest stay.
    [
      '{"n": 12345678901234567890.10, "a": "x", "m": 1E2, "u": "\\u00e9"}',
      { '$.a': set(null) },
      '{"n": 12345678901234567890.10, "a": null, "m": 1E2, "u": "\\u00e9"}',
    ],
    // A name that is there twice, and one that is written with escapes.
    ['{"a": "x", "a": "y"}', { '$.a': set(null) }, '{"a": null, "a": null}'],
    ['{"\\u0061": "x", "a": "y"}', { '$.a': REMOVE }, '{}'],
    ['{"x": "{\\"a\\": 1}", "a": "[,]"}', { '$.a': set(1) }, '{"x": "{\\"a\\": 1}", "a": 1}'],
  ])('%s', (text, changes, changed) => {
    expect(changeJson(text, changes)).toBe(changed);
    expect(isJsonChanged(changed, changes)).toBe(true);
    if (text !== changed) expect(isJsonChanged(text, changes)).toBe(false);
    expect(changeJson(changed, changes)).toBe(changed);
  });

  it.each(['{', 'x', '{"a": 1}}', "{'a': 1}", `${'['.repeat(200_000)}${']'.repeat(200_000)}`])(
    'are not searched for in a text that is not JSON, or is nested too deeply',
    (text) => {
      expect(changeJson(text, { '$.a': REMOVE })).toBeUndefined();
      expect(isJsonChanged(text, { '$.a': REMOVE })).toBe(false);
    },
  );
});
