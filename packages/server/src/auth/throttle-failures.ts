// Guessing at a client's secret is slowed down; whoever has the right one is not locked out by
// another's guesses.
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Clock } from '../domain/ports.ts';

const WINDOW_MS = 60_000;
const MOST_PER_ADDRESS = 10;
const MOST_PER_CLIENT = 100;
const MOST_TRACKED = 50_000;
const LONGEST_KEPT = 64;

export interface FailureThrottle {
  /** Seconds to wait before another try is looked at; 0 when it may be looked at now. */
  wait(clientId: string, address: string): Promise<number>;
  /** Counts a failure; answers as `wait` does for the client as a whole. */
  failed(clientId: string, address: string): Promise<number>;
}

interface Failures {
  since: number;
  count: number;
}

export function createFailureThrottle(clock: Clock): FailureThrottle {
  const byAddress = createCounter(clock);
  const byClient = createCounter(clock);
  const keyOf = (clientId: string, address: string) => `${network(address)} ${shorten(clientId)}`;

  return {
    async wait(clientId, address) {
      if (byAddress.isEmpty()) return 0;
      const own = byAddress.get(keyOf(clientId, address));
      if (own === undefined) return 0;
      if (own.count >= MOST_PER_ADDRESS) return remaining(own, clock());
      // From here on only addresses that have failed before are turned away unseen.
      const all = byClient.get(shorten(clientId));
      return all !== undefined && all.count >= MOST_PER_CLIENT ? remaining(all, clock()) : 0;
    },
    async failed(clientId, address) {
      byAddress.add(keyOf(clientId, address));
      const all = byClient.add(shorten(clientId));
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
    isEmpty: () => counts.size === 0,
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
