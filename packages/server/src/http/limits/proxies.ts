import { BlockList, isIP, isIPv6 } from 'node:net';

/** Whether a connection comes from one of the proxies of `trust_proxy`. */
export function createIsProxy(
  trust: false | number | readonly string[],
): (address: string) => boolean {
  // A number counts hops: the connecting peer is the last hop.
  if (typeof trust === 'number') return () => true;
  const list = new BlockList();
  for (const item of trust || []) {
    if (item === 'loopback') {
      list.addSubnet('127.0.0.0', 8, 'ipv4');
      list.addAddress('::1', 'ipv6');
      continue;
    }
    const [address = '', prefix] = item.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  };
}
