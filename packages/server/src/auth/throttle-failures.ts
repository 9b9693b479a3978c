// Guessing at a client's secret is slowed down; whoever has the right one is not locked out by
// another's guesses.
import { isIPv6 } from 'node:net';
import type { Clock } from '../domain/ports.ts';

const WINDOW_MS = 60_000;
const MOST_PER_ADDRESS = 10;
const MOST_PER_CLIENT = 100;
const MOST_TRACKED = 50_000;

export interface FailureThrottle {
  /** Seconds to wait before another try is looked at; 0 when it may be looked at now. */
  wait(clientId: string, address: string): number;
  /** Counts a failure; answers as `wait` does for the client as a whole. */
  failed(clientId: string, address: string): number;
}

interface Failures {
  since: number;
  count: number;
}

export function createFailureThrottle(clock: Clock): FailureThrottle {
  const byAddress = createCounter(clock);
  const byClient = createCounter(clock);
  const keyOf = (clientId: string, address: string) => `${network(address)} ${clientId}`;

  return {
    wait(clientId, address) {
      const own = byAddress.get(keyOf(clientId, address));
      if (own === undefined) return 0;
      if (own.count >= MOST_PER_ADDRESS) return remaining(own, clock());
      // From here on only addresses that have failed before are turned away unseen.
      const all = byClient.get(clientId);
      return all !== undefined && all.count >= MOST_PER_CLIENT ? remaining(all, clock()) : 0;
    },
    failed(clientId, address) {
      byAddress.add(keyOf(clientId, address));
      const all = byClient.add(clientId);
      return all.count > MOST_PER_CLIENT ? remaining(all, clock()) : 0;
    },
  };
}

function createCounter(clock: Clock) {
  const counts = new Map<string, Failures>();
  function get(key: string): Failures | undefined {
    const failures = counts.get(key);
    if (failures === undefined || clock() - failures.since < WINDOW_MS) return failures;
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
  };
}

function remaining(failures: Failures, now: number): number {
  return Math.max(1, Math.ceil((failures.since + WINDOW_MS - now) / 1000));
}

/** An IPv6 customer has a whole /64: one address of it stands for all. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  if (address.startsWith('::ffff:')) return address.slice(7);
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  if (tail !== undefined) {
    const after = tail.split(':').filter((group) => group !== '').length;
    while (groups.length + after < 8) groups.push('0');
  }
  return groups.slice(0, 4).join(':');
}
