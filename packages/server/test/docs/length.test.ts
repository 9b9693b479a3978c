// A handbook that only grows is not read: what is added replaces something, or is said shorter.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './command-blocks.ts';

const MAX_WORDS_OF_GUIDE = 3000;
const MAX_WORDS = 45_000 + MAX_WORDS_OF_GUIDE;

/** Bars and dashes of tables are none. */
const wordsIn = (path: string) =>
  readFileSync(join(ROOT, path), 'utf8')
    .split(/\s+/)
    .filter((text) => /[\p{L}\p{N}]/u.test(text)).length;

it('the handbook has at most 45,000 words beside the guide to go live', () => {
  const words = globSync('docs/*.md', { cwd: ROOT }).map(wordsIn);
  expect(words.length).toBeGreaterThan(30);
  expect(words.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(MAX_WORDS);
});

it('the guide to go live has at most 3,000 words', () => {
  expect(wordsIn('docs/go-live.md')).toBeLessThanOrEqual(MAX_WORDS_OF_GUIDE);
});
