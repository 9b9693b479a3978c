// Decides which addresses are on the public internet. Ranges that IANA reserves for anything else are not, so
// that a host name under another party's control cannot lead into the operator's own network.
import { BlockList, isIP } from 'node:net';

const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Only this part of IPv6 is allocated for public use; the ranges below are exceptions to it. */
const GLOBAL_IPV6 = ['2000::/3'];
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

let known: { readonly special: BlockList; readonly global: BlockList } | undefined;

/** Made when they are first asked for: most processes and threads never are. */
function ranges() {
  known ??= {
    special: networks([...SPECIAL_IPV4, ...SPECIAL_IPV6]),
    global: networks(GLOBAL_IPV6),
  };
  return known;
}

/** Throws for a text that is neither an address nor a network such as `10.0.0.0/8`. */
export function networks(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const max = isIP(address) === 4 ? 32 : 128;
    const length = bits === undefined ? max : Number(bits);
    if (isIP(address) === 0 || length > max)
      throw new Error(`"${text}" is not an address or network; write it like 10.0.0.0/8`);
    list.addSubnet(address, length, familyOf(address));
  }
  return list;
}

export function isIn(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

/** `address`: as returned by plainAddress. */
export function isPublic(address: string): boolean {
  const { special, global } = ranges();
  if (isIP(address) === 4) return !isIn(special, address);
  return isIn(global, address) && !isIn(special, address);
}

/**
 * Removes brackets and zone; an IPv4 address that is written or translated as IPv6 becomes the IPv4
 * address.
 */
export function plainAddress(text: string): string {
  const address = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  // Mapped addresses, and those of NAT64: packets to them arrive at the IPv4 address inside.
  const isWrapped = prefix === '0:0:0:0:0:ffff' || prefix === '64:ff9b:0:0:0:0';
  if (!isWrapped) return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

function groupsOf(address: string): number[] {
  // The URL parser accepts all spellings, and writes one.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const [before, after] = [numbers(head), numbers(tail)];
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
