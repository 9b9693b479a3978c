// Turns the address in the settings into options of the driver. The parameters mean what they mean to
// PostgreSQL's own programs; the driver interprets them differently.
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

export interface Connection {
  readonly connectionString: string;
  readonly ssl: ConnectionOptions | false;
}

/** Throws with the name of a file that cannot be read. */
export function connectionOf(address: string): Connection {
  const url = new URL(address);
  const given = Object.fromEntries(url.searchParams);
  url.search = '';
  return { connectionString: url.href, ssl: tlsOf(given) };
}

function tlsOf(given: Record<string, string>): ConnectionOptions | false {
  const { sslmode, sslrootcert, sslcert, sslkey } = given;
  const mode = sslmode ?? (sslrootcert === undefined ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  const files = {
    ...(sslrootcert !== undefined && { ca: readFileSync(sslrootcert) }),
    ...(sslcert !== undefined && { cert: readFileSync(sslcert) }),
    ...(sslkey !== undefined && { key: readFileSync(sslkey) }),
  };
  // With a certificate to check against, `require` checks it too, though not the name.
  if (mode === 'require' && sslrootcert === undefined) {
    return { ...files, rejectUnauthorized: false };
  }
  if (mode === 'verify-full') return { ...files, rejectUnauthorized: true };
  return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
}
