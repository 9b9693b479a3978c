// Resolves the name in an address, and decides which of its addresses may be connected to.
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { CallFailed } from './call-failed.ts';
import { isIn, isPublic, networks, plainAddress } from './public-address.ts';

export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface AddressRule {
  /** Why an address may not be connected to; undefined if it may. */
  refusalOf(address: string): string | undefined;
}

export interface Allowed {
  /** True, or the addresses and networks that are allowed although they are not public. */
  readonly allowPrivate: boolean | readonly string[];
  /** The name of that setting, for messages. */
  readonly setting: string;
}

export function createAddressRule(url: URL, { allowPrivate, setting }: Allowed): AddressRule {
  const isPlain = url.protocol === 'http:';
  const allowed = Array.isArray(allowPrivate) ? networks(allowPrivate) : undefined;
  const isAllowed = (address: string) =>
    allowed === undefined ? allowPrivate === true : isIn(allowed, address);

  return {
    refusalOf(text) {
      const address = plainAddress(text);
      if (isIP(address) !== 0 && isAllowed(address)) return undefined;
      if (isIP(address) === 0 || !isPublic(address))
        return `it is not a public address; if that is intended, list it under ${setting}`;
      if (isPlain)
        return `plain http would send everything in clear; use https, or list the address under ${setting}`;
      return undefined;
    },
  };
}

/** Uses the system's own resolver, so that /etc/hosts counts too. */
export const lookUp: Lookup = oneAtATime(async (hostname) => {
  const { lookup } = await import('node:dns/promises');
  return lookup(hostname, { all: true });
});

/**
 * One lookup of a name at a time: it holds a thread until the name server answers, even after all callers have given
 * up, and retries must not hold more threads.
 */
export function oneAtATime(lookup: Lookup): Lookup {
  const running = new Map<string, ReturnType<Lookup>>();
  return (hostname) => {
    const known = running.get(hostname);
    if (known !== undefined) return known;
    const started = lookup(hostname).finally(() => running.delete(hostname));
    running.set(hostname, started);
    return started;
  };
}

/**
 * The connection is made to exactly the addresses returned here, without a second DNS lookup: changing a
 * name between the check and the connection has no effect.
 */
export async function reachableAddresses(
  { host, hostname }: URL,
  rule: AddressRule,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const literal = plainAddress(hostname);
  const family = isIP(literal);
  const found =
    family === 0 ? await orAborted(lookup(hostname), signal) : [{ address: literal, family }];
  const reachable = found.filter(({ address }) => rule.refusalOf(address) === undefined);
  if (reachable.length > 0) return reachable;
  const [first] = found;
  if (first === undefined) throw new CallFailed('unreachable', `${host} has no address`);
  throw addressBlocked(host, first.address, rule.refusalOf(first.address) ?? '');
}

export function addressBlocked(host: string, address: string, why: string): CallFailed {
  return new CallFailed('address_blocked', `${host} resolves to ${address}: ${why}`);
}

/** A DNS lookup cannot be cancelled; on abort its result is ignored. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
