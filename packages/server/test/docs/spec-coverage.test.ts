import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testTitles } from './test-titles.ts';

const ROOT = new URL('../../../../', import.meta.url);
const DOCUMENT = 'packages/server/test/spec-coverage.md';
const NAMED_TEST = /`(packages\/[^` ]+\.ts) > ([^`]+)`/g;

const document = read(DOCUMENT);

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** The rows of all tables, without heads and rulers, however they are padded. */
function rowsOf(text: string): string[] {
  const isRuler = (line: string | undefined) => /^\|[-| ]+\|$/.test(line ?? '');
  return text
    .split('\n')
    .filter(
      (line, i, lines) => line.startsWith('|') && !isRuler(line) && !isRuler(lines.at(i + 1)),
    );
}

describe(DOCUMENT, () => {
  it('names only tests that exist', () => {
    const named = [...document.matchAll(NAMED_TEST)];
    const titles = new Map<string, string[]>();
    const missing = named.filter(([, path = '', title = '']) => {
      if (!titles.has(path)) {
        titles.set(path, existsSync(new URL(path, ROOT)) ? testTitles(read(path)) : []);
      }
      return !titles.get(path)?.includes(title);
    });
    expect(named.length).toBeGreaterThan(150);
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('names a test for every clause', () => {
    const rows = rowsOf(document);
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => row.match(NAMED_TEST) === null)).toEqual([]);
  });

  it('names nothing that does not read as a test in its last column', () => {
    for (const row of rowsOf(document)) {
      const tests = row.split(' | ').at(-1)?.replace(/ *\|$/, '').split('<br>') ?? [];
      for (const test of tests) expect(test).toMatch(/^`packages\/\S+\.ts > .+`$/);
    }
  });
});

describe('the titles of a test file', () => {
  it('are found through tables, nesting and line breaks, and not when they are skipped', () => {
    const source = [
      "describe('a', () => {",
      "  it('b', () => {});",
      "  it.each(['x)', '(y'])('c %s', () => {});",
      '  it.each([',
      "    ['one', (text: string) => [text]],",
      '  ])(',
      "    'd\\'s %s',",
      '    () => {},',
      '  );',
      "  describe.each(ROWS)('e', () => {",
      "    it('f', () => {});",
      '  });',
      "  it('g', () => {});",
      "  it.skip('h', () => {});",
      "  // it('i', () => {});",
      '});',
      "it('j', () => {});",
    ].join('\n');
    expect(testTitles(source)).toEqual([
      'a > b',
      'a > c %s',
      "a > d's %s",
      'a > e > f',
      'a > g',
      'j',
    ]);
  });
});
