import type { Configuration } from './generated-case.ts';

/** Whether an intent of one configuration means the same rows in the other. Mode and caps do not matter. */
export function isSamePlan(a: Configuration, b: Configuration): boolean {
  return JSON.stringify([a.tenancy, a.tables]) === JSON.stringify([b.tenancy, b.tables]);
}
