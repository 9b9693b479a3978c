import { describe, expect, it } from 'vitest';
import { foundAnything, SHARED, tableLines } from '../../../src/domain/task/table-words.ts';

describe('the lines of a table', () => {
  it('are one line if the same happened to all rows', () => {
    expect(tableLines({ action: 'delete', rows: 2 })).toEqual([
      { action: 'delete', words: 'deleted', rows: 2, why: null },
    ]);
    expect(tableLines({ action: 'retain', rows: 2, reason: 'tax law' })).toEqual([
      { action: 'retain', words: 'retained', rows: 2, why: 'tax law' },
    ]);
  });

  it('say in words what a regulator knows', () => {
    const lines = [
      ...tableLines({ action: 'overwrite', rows: 1, shared_kept: 1, detached: 1 }),
      ...tableLines({ action: 'cascade', rows: 1, already_gone: 1 }),
      ...tableLines({ action: 'detach', rows: 0, detached: 2 }),
      ...tableLines({ action: 'delete', rows: 0, unproven: 2 }),
      ...tableLines({ action: 'retain', rows: 3, reason: 'tax law', detached: 1 }),
    ];
    expect(lines.map(({ words, rows }) => `${words} ${rows}`)).toEqual([
      'overwritten 1',
      'shared and kept 1',
      'detached 1',
      'removed by cascade 1',
      'already gone 1',
      'detached 2',
      'not proven and kept 2',
      'retained 3',
      'detached 1',
    ]);
  });

  it('are one for each thing that happened to rows, and add up to the intent', () => {
    const lines = tableLines({
      action: 'delete',
      rows: 1,
      already_gone: 2,
      shared_kept: 4,
    });
    expect(lines.map(({ action, rows }) => [action, rows])).toEqual([
      ['delete', 1],
      ['already gone', 2],
      ['retain', 4],
    ]);
    expect(lines.at(-1)?.why).toBe(SHARED);
  });

  it('give the reason for retained rows, and not for rows that were erased', () => {
    expect(tableLines({ action: 'erase', rows: 1, retained: 2, reason: 'tax law' })).toEqual([
      { action: 'erase', words: 'erased', rows: 1, why: null },
      { action: 'retain', words: 'retained', rows: 2, why: 'tax law' },
    ]);
  });

  it('do not mention what happened to no row', () => {
    expect(
      tableLines({ action: 'delete', rows: 0, already_gone: 1, unconfirmed: 0 }),
    ).toMatchObject([{ action: 'already gone', rows: 1 }]);
    expect(tableLines({ action: 'delete', rows: 0, already_gone: 0 })).toEqual([
      { action: 'delete', words: 'deleted', rows: 0, why: null },
    ]);
  });
});

it.each([
  [{ rows: 0 }, false],
  [{ rows: 1 }, true],
  [{ rows: 0, already_gone: 1 }, true],
  [{ rows: 0, shared_kept: 1 }, true],
  [{ rows: 0, shared_kept: 0 }, false],
])('whether anything was there: %j', (evidence, expected) => {
  expect(foundAnything({ action: 'delete', ...evidence })).toBe(expected);
});
