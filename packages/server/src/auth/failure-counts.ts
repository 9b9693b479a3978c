// Failures by name, in bounded memory. Names are kept in tiers by how often they failed: once, twice, four times
// and so on. A flood of made-up names fills the first tier and evicts names that failed once; a name that has failed
// ten times is evicted only when thousands of others have failed eight times.
import { type BoundedMap, createBoundedMap } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock.ts';

export interface Failures {
  since: number;
  count: number;
}

export interface FailureCounts {
  get(key: string): Failures | undefined;
  add(key: string): Failures;
  /** Merges what other nodes have counted under the same name. */
  learn(key: string, seen: { readonly count: number; readonly ageMs: number }): void;
}

const MAX_FAILED_ONCE = 50_000;
const MAX_IN_A_TIER = 10_000;
/** The last tier has all names that failed 64 times or more. */
const TIERS = 7;

export function createFailureCounts(clock: Clock, windowMs: number): FailureCounts {
  const tiers = Array.from({ length: TIERS }, (_, tier) =>
    createBoundedMap<string, Failures>(tier === 0 ? MAX_FAILED_ONCE : MAX_IN_A_TIER),
  );
  const tierOf = (count: number) =>
    tiers[Math.min(TIERS - 1, 31 - Math.clz32(count))] as BoundedMap<string, Failures>;

  function get(key: string): Failures | undefined {
    for (const tier of tiers) {
      const failures = tier.get(key);
      if (failures === undefined) continue;
      if (clock() - failures.since < windowMs) return failures;
      tier.delete(key);
    }
    return undefined;
  }

  function raise(key: string, failures: Failures, count: number): void {
    if (failures.count > 0) tierOf(failures.count).delete(key);
    failures.count = count;
    tierOf(count).set(key, failures);
  }

  return {
    get,
    add(key) {
      const failures = get(key) ?? { since: clock(), count: 0 };
      raise(key, failures, failures.count + 1);
      return failures;
    },
    learn(key, { count, ageMs }) {
      const failures = get(key);
      if (failures === undefined) return;
      if (count > failures.count) raise(key, failures, count);
      failures.since = Math.min(failures.since, clock() - ageMs);
    },
  };
}
