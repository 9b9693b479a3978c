// The grants of an account of MySQL or MariaDB, except those that it has through a role, which these lists
// do not contain.

import type { Read } from '../sql/check/probe.ts';
import type { SqlRow } from '../sql/session.ts';

export interface Granted {
  /** In the form of GRANT: `'app'@'%'`. */
  readonly account: string;
  /** The default database of names without one. */
  readonly current: string;
  readonly global: readonly string[];
  readonly schemas: ReadonlyMap<string, readonly string[]>;
  /** Keyed by `schema.table`. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Rights on every table of a schema. */
  anywhereIn(schema: string): readonly string[];
  onTable(schema: string, table: string): readonly string[];
}

const ACCOUNT = 'SELECT current_user() AS account, database() AS current';
const granted = (list: string, name: string) => `
  SELECT ${name} AS name, PRIVILEGE_TYPE AS privilege
  FROM information_schema.${list}_PRIVILEGES WHERE GRANTEE = ?`;

export async function readGranted(read: Read): Promise<Granted> {
  const [row = {}] = await read(ACCOUNT);
  const account = String(row.account);
  const at = account.lastIndexOf('@');
  const grantee = `'${account.slice(0, at)}'@'${account.slice(at + 1)}'`;
  const list = async (name: string, key: string) =>
    byName(await read(granted(name, key), [grantee]));

  const global = (await list('USER', "''")).get('') ?? [];
  const schemas = await list('SCHEMA', 'TABLE_SCHEMA');
  const tables = await list('TABLE', "concat(TABLE_SCHEMA, '.', TABLE_NAME)");
  return {
    account: grantee,
    current: String(row.current),
    global: global.filter((right) => right !== 'USAGE'),
    schemas,
    tables,
    anywhereIn: (schema) => [
      ...global.filter((right) => right !== 'USAGE'),
      ...[...schemas].flatMap(([pattern, rights]) => (isLike(schema, pattern) ? rights : [])),
    ],
    onTable: (schema, table) => tables.get(`${schema}.${table}`) ?? [],
  };
}

function byName(rows: readonly SqlRow[]): Map<string, string[]> {
  const groups = Map.groupBy(rows, ({ name }) => String(name));
  return new Map(
    [...groups].map(([name, all]) => [name, all.map(({ privilege }) => String(privilege))]),
  );
}

// A grant on a database may be a pattern: `shop\_%`.
function isLike(schema: string, pattern: string): boolean {
  const source = pattern.replaceAll(/\\(.)|([%_])|([^\w])/g, (_, escaped, wild, other) => {
    if (wild !== undefined) return wild === '%' ? '.*' : '.';
    return `\\${escaped ?? other}`.replace(/^\\(\w)$/, '$1');
  });
  return new RegExp(`^${source}$`).test(schema);
}
