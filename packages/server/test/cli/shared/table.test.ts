import { describe, expect, it } from 'vitest';
import { renderTable } from '../../../src/cli/shared/table.ts';

const ID = 'a7551968-d5d6-44b2-9831-815ac9017798';
const HEAD = ['TASK', 'CONTROLLER_ID', 'SUBJECT_REQUEST_ID', 'TARGET', 'STATE', 'ROWS', 'WHAT'];
const WHAT = `over_cap: 3601 rows match, and max_rows_per_subject is 1000; ${'if they are right, release; '.repeat(3)}`;
const ROWS = [HEAD, ['1', 'acme', ID, 'shop', 'held', '3601', WHAT.trim()]];

describe('a table', () => {
  it('has one line per row when it is piped, however long', () => {
    const lines = renderTable(ROWS);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe(`1     acme           ${ID}  shop    held   3601  ${WHAT.trim()}`);
  });

  it('folds at 80 columns, and loses nothing', () => {
    const lines = renderTable(ROWS, 80);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.slice(0, 4)).toEqual([
      'TASK  CONTROLLER_ID  SUBJECT_REQUEST_ID                    TARGET  STATE  ROWS',
      '    WHAT',
      `1     acme           ${ID}  shop    held   3601`,
      '    over_cap: 3601 rows match, and max_rows_per_subject is 1000; if they are',
    ]);
    expect(lines.slice(2).join(' ').replaceAll(/\s+/g, ' ')).toBe(
      `1 acme ${ID} shop held 3601 ${WHAT.trim()}`,
    );
  });

  it('is not folded on a terminal that is wide enough', () => {
    const widest = Math.max(...renderTable(ROWS).map((line) => line.length));
    expect(renderTable(ROWS, widest)).toEqual(renderTable(ROWS));
    expect(renderTable(ROWS, widest - 1)).not.toEqual(renderTable(ROWS));
  });

  it('wraps its last column next to the others if there is room to read it', () => {
    const rows = [
      ['NAME', 'WHAT'],
      ['shop', 'one two three four five six seven eight nine ten'],
    ];
    expect(renderTable(rows, 40)).toEqual([
      'NAME  WHAT',
      'shop  one two three four five six seven',
      '      eight nine ten',
    ]);
  });

  it('leaves an id whole that is longer than a line', () => {
    expect(renderTable([['ID'], [ID]], 20)).toEqual(['ID', ID]);
  });
});
