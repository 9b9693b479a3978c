import { expect, it } from 'vitest';
import { csvLine } from '../../../src/operator/export/csv.ts';

it.each([
  ['=HYPERLINK("http://example.com")', `"'=HYPERLINK(""http://example.com"")"`],
  ['+49 30', "'+49 30"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['a,b', '"a,b"'],
  ['two\nlines', '"two\nlines"'],
  ['a=b', 'a=b'],
])('a cell is text to a spreadsheet: %j', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});

it('numbers stay numbers, and nothing is an empty cell', () => {
  expect(csvLine([-3, null, ''])).toBe('-3,,\r\n');
});
