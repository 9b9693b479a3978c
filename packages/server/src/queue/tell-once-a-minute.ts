import { MINUTE_MS } from '../domain/time-units.ts';
import type { QueueReport } from './queue.ts';

/**
 * While the store cannot be reached or written, everything that uses it fails every second: this limits the log lines.
 */
export function tellOnceAMinute(report: QueueReport): QueueReport {
  const told = new Map<string, number>();
  return {
    ...report,
    trouble(what, error) {
      const now = performance.now();
      if (now - (told.get(what) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
      told.set(what, now);
      report.trouble(what, error);
    },
  };
}
