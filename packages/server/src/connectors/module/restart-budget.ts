// Limits how often the processes of a target's module may end unexpectedly before none is started for a while.
// It outlives connectors, which are created again after a failure.

const MAX_ENDS = 10;
const WINDOW_MS = 10 * 60_000;

export interface RestartBudget {
  /** Milliseconds until another process may be started. */
  waitFor(target: string): number;
  spend(target: string): void;
}

export function createRestartBudget(now: () => number = () => performance.now()): RestartBudget {
  const ends = new Map<string, number[]>();

  function recent(target: string): number[] {
    const since = now() - WINDOW_MS;
    return (ends.get(target) ?? []).filter((time) => time > since);
  }

  return {
    waitFor(target) {
      const [oldest, ...others] = recent(target);
      if (oldest === undefined || others.length + 1 < MAX_ENDS) return 0;
      return oldest + WINDOW_MS - now();
    },
    spend(target) {
      ends.set(target, [...recent(target), now()].slice(-MAX_ENDS));
    },
  };
}
