// Reads the address of a database. Addresses contain passwords: no message quotes one.
import { resolve } from 'node:path';
import type { SqlConnector } from '../../../domain/target/target.ts';
import { text } from '../../kinds.ts';
import { BadValue, type PlainKind } from '../../setting.ts';
import type { Fields } from '../fields.ts';
import { DATABASES } from './databases.ts';

export function readAddress(target: Fields, connector: SqlConnector, directory: string): string {
  const { address } = DATABASES[connector];
  if (address !== 'file') return target.need('url', databaseUrl(connector, address.schemes), '');
  const file = target.need('file', text(), '');
  return file === '' ? '' : resolve(directory, file);
}

function databaseUrl(connector: SqlConnector, schemes: readonly string[]): PlainKind<string> {
  const example = `${schemes[0]}//user:password@host/database`;
  return {
    schema: { type: 'string' },
    write: () => '********',
    read(raw) {
      const value = text().read(raw);
      const url = URL.canParse(value) ? new URL(value) : undefined;
      // A "#" in a password that is not escaped ends the address before the host.
      if (url === undefined || url.hash !== '') {
        throw new BadValue(
          `must be an address such as ${example}; in user and password write special characters as %23 for #`,
        );
      }
      if (!schemes.includes(url.protocol)) {
        throw new BadValue(`must begin with ${schemes.join('// or ')}// for ${connector}`);
      }
      if (url.pathname.length < 2) {
        throw new BadValue(`must name the database at its end: ${example}`);
      }
      return value;
    },
  };
}
