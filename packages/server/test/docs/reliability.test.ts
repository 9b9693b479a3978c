import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../../', import.meta.url);
const TESTS = new URL('packages/server/test/', ROOT);
const document = readFileSync(new URL('faults.md', TESTS), 'utf8');
const rows = [...document.matchAll(/^\| (\d+) +\| (.+?) +\| (.+?) +\|$/gm)];

describe('the table of faults and attacks', () => {
  it('has its 37 rows in order, each with words of its own', () => {
    expect(rows.map(([, no]) => Number(no))).toEqual(Array.from({ length: 37 }, (_, n) => n + 1));
    expect(new Set(rows.map(([, , what]) => what)).size).toBe(37);
  });

  it('names a test for every row, and only tests that exist', () => {
    for (const [, no, , tests = ''] of rows) {
      const named = [...tests.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path);
      expect(named.length, `row ${no}`).toBeGreaterThan(0);
      expect(named.filter((path) => !existsSync(new URL(path, TESTS)))).toEqual([]);
    }
  });
});
