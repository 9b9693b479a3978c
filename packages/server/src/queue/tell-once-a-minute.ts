import type { QueueReport } from './queue.ts';

const MINUTE_MS = 60_000;

/** A database that is away is met by everything that asks it, every second, for as long as it is away. */
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
