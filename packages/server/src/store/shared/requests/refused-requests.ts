// Requests that must not start because of the audit log, remembered so that they are not tried every second. In
// memory only: other nodes find out by themselves, and a request that was corrected is soon tried again.

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
