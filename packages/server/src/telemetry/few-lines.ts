// Limits log lines of one kind to a few a minute, and counts the rest: what callers can cause must not fill
// the disk.
import type { Log } from './log.ts';

const WINDOW_MS = 60_000;

export type FewLines = (level: 'warn' | 'error', fields: object, message: string) => void;

export function createFewLines(
  log: Log,
  max: number,
  now: () => number = () => performance.now(),
): FewLines {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let unsaid = 0;

  return (level, fields, message) => {
    if (now() - since >= WINDOW_MS) {
      if (unsaid > 0) log[level]({ times: unsaid }, `${message}: more of these were not logged`);
      since = now();
      lines = 0;
      unsaid = 0;
    }
    if (++lines <= max) log[level](fields, message);
    else unsaid++;
  };
}
