// Guessing at a client's secret is slowed down; whoever has the right one is not locked out by
// another's guesses.
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Clock } from '../domain/ports.ts';

export const FAILURE_WINDOW_MS = 60_000;
const MOST_PER_ADDRESS = 10;
const MOST_PER_CLIENT = 100;
const MOST_TRACKED = 50_000;
const LONGEST_KEPT = 64;

export interface FailureThrottle {
  /**
   * Seconds to wait before another try is looked at; 0 when it may be looked at now. It must be told what
   * came of it: until then, where there were failures before, it counts as one.
   */
  wait(clientId: string, address: string): Promise<number>;
  /** Counts a failure; answers as `wait` does for the client as a whole. */
  failed(clientId: string, address: string): Promise<number>;
  passed(clientId: string, address: string): void;
}

interface Failures {
  since: number;
  count: number;
}

/** Failures counted by all nodes, under digests; answers how many there are, and since how long. */
export type ShareFailures = (
  keys: readonly Buffer[],
) => Promise<readonly { readonly count: number; readonly ageMs: number }[]>;

/**
 * Where failures are shared, each one is counted before it is answered, and brings back what the other
 * nodes have seen: so a guesser gains one look at a secret by going to another node, not ten.
 */
export function createFailureThrottle(clock: Clock, share?: ShareFailures): FailureThrottle {
  const byAddress = createCounter(clock);
  const byClient = createCounter(clock);
  const keyOf = (clientId: string, address: string) => `${network(address)} ${shorten(clientId)}`;
  /** Tries whose end is not known yet. */
  const lookedAt = new Map<string, number>();

  function lookedAtOneLess(key: string): void {
    const looking = lookedAt.get(key) ?? 0;
    if (looking > 1) lookedAt.set(key, looking - 1);
    else lookedAt.delete(key);
  }

  return {
    async wait(clientId, address) {
      const key = keyOf(clientId, address);
      const own = byAddress.get(key);
      const looking = lookedAt.get(key) ?? 0;
      if (own !== undefined) {
        if (own.count + looking >= MOST_PER_ADDRESS) return remaining(own, clock());
        // From here on only addresses that have failed before are turned away unseen.
        const all = byClient.get(shorten(clientId));
        if (all !== undefined && all.count >= MOST_PER_CLIENT) return remaining(all, clock());
      }
      lookedAt.set(key, looking + 1);
      return 0;
    },
    passed(clientId, address) {
      lookedAtOneLess(keyOf(clientId, address));
    },
    async failed(clientId, address) {
      const [addressKey, clientKey] = [keyOf(clientId, address), shorten(clientId)];
      lookedAtOneLess(addressKey);
      byAddress.add(addressKey);
      const all = byClient.add(clientKey);
      if (share !== undefined) {
        const [ofAddress, ofClient] = await share([digestOf(addressKey), digestOf(clientKey)]);
        if (ofAddress !== undefined) byAddress.learn(addressKey, ofAddress);
        if (ofClient !== undefined) byClient.learn(clientKey, ofClient);
      }
      return all.count > MOST_PER_CLIENT ? remaining(all, clock()) : 0;
    },
  };
}

function createCounter(clock: Clock) {
  const counts = new Map<string, Failures>();
  function get(key: string): Failures | undefined {
    const failures = counts.get(key);
    if (failures === undefined || clock() - failures.since < FAILURE_WINDOW_MS) return failures;
    counts.delete(key);
    return undefined;
  }
  return {
    get,
    add(key: string): Failures {
      const failures = get(key) ?? { since: clock(), count: 0 };
      failures.count++;
      counts.set(key, failures);
      if (counts.size > MOST_TRACKED) counts.delete(counts.keys().next().value as string);
      return failures;
    },
    learn(key: string, { count, ageMs }: { readonly count: number; readonly ageMs: number }) {
      const failures = get(key);
      if (failures === undefined) return;
      failures.count = Math.max(failures.count, count);
      failures.since = Math.min(failures.since, clock() - ageMs);
    },
  };
}

function remaining(failures: Failures, now: number): number {
  return Math.max(1, Math.ceil((failures.since + FAILURE_WINDOW_MS - now) / 1000));
}

/** An IPv6 customer has a whole /64: one address of it stands for all. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  if (address.startsWith('::ffff:')) return address.slice(7);
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

/** Made-up client ids may be as long as a body: what is remembered of them must not be. */
function shorten(clientId: string): string {
  return clientId.length <= LONGEST_KEPT ? clientId : hash('sha256', clientId);
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer').subarray(0, 16);
}
