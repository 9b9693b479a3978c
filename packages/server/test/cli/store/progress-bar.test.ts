import { expect, it } from 'vitest';
import { createProgressBar } from '../../../src/cli/store/progress-bar.ts';

function onScreen(isTTY: boolean) {
  const written: string[] = [];
  let now = 0;
  const out = {
    isTTY,
    write(text: string) {
      written.push(text);
      return true;
    },
  };
  const bar = createProgressBar(out as NodeJS.WriteStream, () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { written, bar, pass };
}

it('shows how far it is, how fast and how long still, on a line that moves', () => {
  const { written, bar, pass } = onScreen(true);
  bar.show('copying requests', 0, 4000);
  pass(500);
  bar.show('copying requests', 1000, 4000);
  expect(written.at(-1)).toMatch(
    /^\r.*copying requests +█{7}░{21} 1,000 of 4,000 rows {2}2,000\/s/,
  );
  expect(written.at(-1)).toContain('2s left');
  pass(500);
  bar.show('comparing requests', 0, 4000);
  pass(1000);
  bar.show('comparing requests', 10, 4000);
  expect(written.at(-1)).toContain('10/s  7 min left');
  bar.end();
  expect(written.at(-1)).toBe('\r\x1b[2K');
});

it('draws a few times a second, and a full one at the end', () => {
  const { written, bar, pass } = onScreen(true);
  for (let n = 0; n <= 1000; n++) {
    bar.show('copying tasks', n, 1000);
    pass(1);
  }
  expect(written.length).toBeLessThan(15);
  expect(written.at(-1)).toContain('█ 1,000 of 1,000 rows');
});

it('writes nothing if there is no terminal, and clears nothing if nothing was written', () => {
  const elsewhere = onScreen(false);
  elsewhere.bar.show('copying tasks', 1, 2);
  elsewhere.bar.end();
  const unused = onScreen(true);
  unused.bar.end();
  expect([...elsewhere.written, ...unused.written]).toEqual([]);
});

it('has no end where nobody knows it', () => {
  const { written, bar, pass } = onScreen(true);
  bar.show('restoring requests', 0, undefined);
  pass(500);
  bar.show('restoring requests', 1000, undefined);
  expect(written.at(-1)).toMatch(/restoring requests +1,000 rows {2}2,000\/s$/);
});

it('is full if there is nothing to do', () => {
  const { written, bar } = onScreen(true);
  bar.show('copying tasks', 0, 0);
  expect(written.at(-1)).toContain('█ 0 of 0 rows');
});
