/**
 * An IPv6 customer has a whole /64, so one address of it stands for all. An IPv4 address counts as IPv4 in
 * every spelling.
 */
export function networkOf(address: string): string {
  if (address.indexOf(':') === address.lastIndexOf(':')) return address;
  if (address.startsWith('::ffff:')) return address.slice(7);
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
