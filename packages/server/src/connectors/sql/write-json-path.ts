import { EACH, type JsonPath } from '../../domain/target/json-path.ts';

/** In the form that MySQL, MariaDB and SQLite read: `$.contact."full name"[0]`. */
export function writeJsonPath(path: JsonPath): string {
  const parts = path.map((part) => {
    if (typeof part === 'number') return part === EACH ? '[*]' : `[${part}]`;
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(part) ? `.${part}` : `.${JSON.stringify(part)}`;
  });
  return `$${parts.join('')}`;
}
