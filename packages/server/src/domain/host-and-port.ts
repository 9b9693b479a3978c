/**
 * Host and port of an address, without user and password, for messages. Undefined if the address cannot be
 * parsed.
 */
export function hostAndPort(address: string, defaultPort: number): string | undefined {
  const url = URL.parse(address);
  if (url === null) return undefined;
  // PostgreSQL also accepts both as parameters, such as a folder of Unix sockets.
  const host = url.searchParams.get('host') ?? url.hostname;
  const port = url.searchParams.get('port') ?? url.port;
  return `${host || 'localhost'}:${port || defaultPort}`;
}
