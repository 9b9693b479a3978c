// Requests that the audit log does not let start, so that they are not tried every second, before all others. In memory: another
// node finds out by itself, and what was put back is tried again soon.

const AGAIN_MS = 10 * 60_000;
const MOST = 10_000;

export function createRefusedRequests() {
  const refused = new Map<number, number>();
  return {
    add(requestNo: number, now: number): void {
      refused.set(requestNo, now);
      for (const [known, time] of refused) {
        if (refused.size <= MOST && Math.abs(now - time) < AGAIN_MS) break;
        refused.delete(known);
      }
    },
    numbers: (): readonly number[] => [...refused.keys()],
  };
}
