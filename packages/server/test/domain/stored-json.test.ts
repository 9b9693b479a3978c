import { describe, expect, it } from 'vitest';
import {
  countsFromJson,
  evidenceFromJson,
  objectFromJson,
  plannedFromJson,
  shownJson,
  tablesFromJson,
} from '../../src/domain/stored-json.ts';

const BROKEN = ['', '{bad', 'null', '5', '"text"', '[1]', '{"a":null}', '{"a":"b"}'];

describe('JSON of the store that is not as Unwrite writes it', () => {
  it.each(BROKEN)('%s is refused', (text) => {
    expect(countsFromJson(text)).toBeUndefined();
    expect(tablesFromJson(text)).toBeUndefined();
    expect(evidenceFromJson(text)).toBeUndefined();
    expect(plannedFromJson(text)).toBeUndefined();
  });

  it.each([
    '{"action":"erased"}',
    '{"action":"erased","tables":[]}',
    '{"action":"erased","tables":{"a":3}}',
    '{"action":"erased","tables":{},"accepted":"all"}',
    '{"action":"erased","tables":{},"skipped_tables":{}}',
  ])('%s is refused as evidence', (text) => {
    expect(evidenceFromJson(text)).toBeUndefined();
  });
});

it('JSON that Unwrite wrote is read unchanged, whatever the names', () => {
  const table = { action: 'delete', rows: 2 };
  const counts = countsFromJson('{"__proto__":1,"toString":2}');
  expect(Object.entries(counts ?? {})).toEqual([
    ['__proto__', 1],
    ['toString', 2],
  ]);
  expect({ ...tablesFromJson(JSON.stringify({ users: table })) }).toEqual({ users: table });
  expect(evidenceFromJson(JSON.stringify({ action: 'erased', tables: { users: table } }))).toEqual({
    action: 'erased',
    tables: { users: table },
  });
  expect(objectFromJson('{"target":"shop"}')).toEqual({ target: 'shop' });
});

it('people see the text if it is not JSON', () => {
  expect([shownJson('{bad'), shownJson('{"a":1}')]).toEqual(['{bad', { a: 1 }]);
});
