// The processor time of each test file, for scripts/test-times.mjs: unlike the clock's, it says something on a busy machine.
import { readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { note } from './run-notes.ts';

/** Linux only, and only where times are asked for. */
export function noteProcessorTime(): void {
  if (process.env.UNWRITE_TEST_TIMES === undefined) return;
  const before = processorTicks();
  afterAll(() => {
    note({ file: expect.getState().testPath, ticks: processorTicks() - before });
  });
}

/** Of this process and those that it started and that have ended; a tick is 10 ms. */
function processorTicks(): number {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = fields
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return user + system + childrensUser + childrensSystem;
}
