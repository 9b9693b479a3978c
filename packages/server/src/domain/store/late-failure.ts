// A write that failed is told by readiness for a while: the next, smaller one may succeed although most do not.

/** Long enough for a probe to notice; after that, traffic may show whether the problem is over. */
const SHOWS_MS = 10_000;

export interface LateFailure {
  note(reason: string): void;
  /** Why a write has failed recently. */
  reason(): string | undefined;
}

export function createLateFailure(now: () => number = () => performance.now()): LateFailure {
  let failed = { at: Number.NEGATIVE_INFINITY, reason: '' };
  return {
    note(reason) {
      failed = { at: now(), reason };
    },
    reason: () => (now() - failed.at < SHOWS_MS ? failed.reason : undefined),
  };
}
