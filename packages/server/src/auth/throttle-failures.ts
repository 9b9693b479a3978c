// Slows down guessing of client secrets. A caller with the right secret is not locked out by another
// caller's guesses.
import { hash } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import { networkOf } from '../domain/network.ts';
import { createFailureCounts, type Failures } from './failure-counts.ts';

export const FAILURE_WINDOW_MS = 60_000;
const MAX_PER_ADDRESS = 10;
const MAX_PER_CLIENT = 100;
const LONGEST_KEPT = 64;

export interface FailureThrottle {
  /**
   * Seconds until another attempt is checked; 0 if it is checked now, possibly after others of the same address. The
   * result must be reported: until then the attempt may count as a failure.
   */
  wait(clientId: string, address: string): Promise<number>;
  /** Counts a failure; returns what `wait` returns for the client as a whole. */
  failed(clientId: string, address: string): Promise<number>;
  passed(clientId: string, address: string): void;
}

/** Adds to the failures counted by all nodes, under digests; returns how many there are and how old they are. */
export type ShareFailures = (
  keys: readonly Buffer[],
) => Promise<readonly { readonly count: number; readonly ageMs: number }[]>;

/**
 * If failures are shared, each is counted before it is answered, and the counts of the other nodes are read: trying
 * another node gives one extra attempt at a secret, not ten.
 */
export function createFailureThrottle(clock: Clock, share?: ShareFailures): FailureThrottle {
  const byAddress = createFailureCounts(clock, FAILURE_WINDOW_MS);
  const byClient = createFailureCounts(clock, FAILURE_WINDOW_MS);
  const keyOf = (clientId: string, address: string) => `${networkOf(address)} ${shorten(clientId)}`;
  const underWay = createLooks();

  return {
    async wait(clientId, address) {
      const key = keyOf(clientId, address);
      for (;;) {
        const own = byAddress.get(key);
        if (own !== undefined) {
          if (own.count >= MAX_PER_ADDRESS) return remaining(own, clock());
          // From here on only addresses that have failed before are refused without checking the secret.
          const all = byClient.get(shorten(clientId));
          if (all !== undefined && all.count >= MAX_PER_CLIENT) return remaining(all, clock());
        }
        if (underWay.begin(key, MAX_PER_ADDRESS - (own?.count ?? 0))) return 0;
        await underWay.oneLess(key);
      }
    },
    passed(clientId, address) {
      underWay.end(keyOf(clientId, address));
    },
    async failed(clientId, address) {
      const [addressKey, clientKey] = [keyOf(clientId, address), shorten(clientId)];
      byAddress.add(addressKey);
      const all = byClient.add(clientKey);
      try {
        if (share !== undefined) {
          const [ofAddress, ofClient] = await share([digestOf(addressKey), digestOf(clientKey)]);
          if (ofAddress !== undefined) byAddress.learn(addressKey, ofAddress);
          if (ofClient !== undefined) byClient.learn(clientKey, ofClient);
        }
      } finally {
        underWay.end(addressKey);
      }
      return all.count > MAX_PER_CLIENT ? remaining(all, clock()) : 0;
    },
  };
}

/** Attempts in progress. Attempts beyond the limit wait for others to end. */
function createLooks() {
  const looks = new Map<string, { count: number; waiting: (() => void)[] }>();
  return {
    begin(key: string, max: number): boolean {
      const own = looks.get(key) ?? { count: 0, waiting: [] };
      if (own.count >= max) return false;
      own.count++;
      looks.set(key, own);
      return true;
    },
    end(key: string): void {
      const own = looks.get(key);
      if (own === undefined) return;
      own.count--;
      if (own.count === 0) looks.delete(key);
      for (const wake of own.waiting.splice(0)) wake();
    },
    oneLess(key: string): Promise<void> {
      const own = looks.get(key);
      if (own === undefined) return Promise.resolve();
      return new Promise((resolve) => own.waiting.push(resolve));
    },
  };
}

function remaining(failures: Failures, now: number): number {
  return Math.max(1, Math.ceil((failures.since + FAILURE_WINDOW_MS - now) / 1000));
}

/** Invented client ids may be as long as a body, so only a digest of a long one is remembered. */
function shorten(clientId: string): string {
  return clientId.length <= LONGEST_KEPT ? clientId : hash('sha256', clientId);
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer').subarray(0, 16);
}
