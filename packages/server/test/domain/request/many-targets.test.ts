import { expect, it } from 'vitest';
import { completionProblem } from '../../../src/domain/request/proven-ends.ts';

/** Rows that were read, told by their details. */
function rowsOf(targets: readonly string[]) {
  let reads = 0;
  const row = (action: string, detail: object) => ({
    time: 1,
    actor: 'system',
    action,
    get detail() {
      reads++;
      return JSON.stringify(detail);
    },
  });
  const rows = [
    row('request.started', { targets }),
    ...targets.map((target, task) => row('task.erased', { target, task })),
  ];
  return { rows, reads: () => reads };
}

it('a request of many targets is judged by reading each row of its log a few times, not once for each target', () => {
  const targets = Array.from({ length: 500 }, (_, n) => `target-${n}`);
  const { rows, reads } = rowsOf(targets);
  expect(completionProblem(rows)).toBeUndefined();
  expect(reads()).toBeLessThan(10 * rows.length);
  expect(completionProblem(rows.slice(0, -1))).toBe(
    'by the log, a task of target-499 has not ended',
  );
});
