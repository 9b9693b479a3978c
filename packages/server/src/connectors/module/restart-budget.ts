// Limits how often the processes of a target's module may end unexpectedly: ten times, and after that once a minute.
// So a module that exits now and then delays its tasks by a minute, not until all ten restarts are available again.
// The budget outlives connectors, which are created again after a failure.

const MAX_ENDS = 10;
const ANOTHER_AFTER_MS = 60_000;

export interface RestartBudget {
  /** Milliseconds until another process may be started. */
  waitFor(target: string): number;
  spend(target: string): void;
}

export function createRestartBudget(now: () => number = () => performance.now()): RestartBudget {
  /** When each target has all its restarts again. */
  const fullTimes = new Map<string, number>();

  const untilFull = (target: string) => Math.max(0, (fullTimes.get(target) ?? 0) - now());

  return {
    waitFor: (target) => Math.max(0, untilFull(target) - (MAX_ENDS - 1) * ANOTHER_AFTER_MS),
    spend(target) {
      // Several processes may end after the last restart was used: they cost no more than that one.
      const left = Math.min(untilFull(target) + ANOTHER_AFTER_MS, MAX_ENDS * ANOTHER_AFTER_MS);
      fullTimes.set(target, now() + left);
    },
  };
}
