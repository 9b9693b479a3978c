// A row that still exists, while the row that connected it to the person does not.
import type { Held } from './connector.ts';

export function orphaned(table: string): Held {
  return {
    outcome: 'held',
    reason: 'orphaned',
    detail: `a row of ${table} is still there, and the row that linked it to this request is gone or overwritten; delete it or link it to another person, then release, or retain the task`,
  };
}
