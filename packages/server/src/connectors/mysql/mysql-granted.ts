// The grants of an account of MySQL or MariaDB, except those that it has through a role, which these lists
// do not contain.

import type { Read } from '../sql/check/probe.ts';
import type { SqlRow } from '../sql/session.ts';

export interface Granted {
  /** In the form of GRANT: `'app'@'%'`. */
  readonly account: string;
  /** The default database of names without one. */
  readonly current: string;
  /** On the whole server, except for schemas from which they may have been revoked. */
  readonly global: readonly string[];
  /** On the whole server without exception. */
  readonly everywhere: readonly string[];
  readonly schemas: ReadonlyMap<string, readonly string[]>;
  /** Keyed by `schema.table`. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Rights on every table of a schema. */
  anywhereIn(schema: string): readonly string[];
  onTable(schema: string, table: string): readonly string[];
  /** The key of `tables`. */
  keyOf(schema: string, table: string): string;
}

const ACCOUNT = `
  SELECT current_user() AS account, database() AS current, @@lower_case_table_names AS folds`;
// Only newer versions of MySQL have this setting: rights on the whole server may be revoked for one schema,
// and names of schemas in grants are no patterns.
const PARTIAL = "SHOW VARIABLES LIKE 'partial_revokes'";
const granted = (list: string, name: string) => `
  SELECT ${name} AS name, PRIVILEGE_TYPE AS privilege
  FROM information_schema.${list}_PRIVILEGES WHERE GRANTEE = ?`;

export async function readGranted(read: Read): Promise<Granted> {
  const [row = {}] = await read(ACCOUNT);
  const grantee = granteeOf(row.account);
  // Where upper and lower case are one name, a plan may write it otherwise than the grant.
  const fold = (name: string) => (Number(row.folds) === 0 ? name : name.toLowerCase());
  const keyOf = (schema: string, table: string) => fold(`${schema}.${table}`);
  const list = async (name: string, key: string) =>
    byName(await read(granted(name, key), [grantee]), fold);

  const isPartial = (await read(PARTIAL)).some(({ Value }) => Value === 'ON');
  const fits = (schema: string, name: string) =>
    isPartial ? schema === name.replaceAll(/\\(.)/g, '$1') : isLike(schema, name);

  const all = (await list('USER', "''")).get('') ?? [];
  const global = all.filter((right) => right !== 'USAGE');
  const everywhere = isPartial ? [] : global;
  const schemas = await list('SCHEMA', 'TABLE_SCHEMA');
  const tables = await list('TABLE', "concat(TABLE_SCHEMA, '.', TABLE_NAME)");
  return {
    account: grantee,
    current: String(row.current),
    global,
    everywhere,
    schemas,
    tables,
    anywhereIn: (schema) => [
      ...everywhere,
      ...inForce([...schemas].filter(([pattern]) => fits(fold(schema), pattern))),
    ],
    onTable: (schema, table) => tables.get(keyOf(schema, table)) ?? [],
    keyOf,
  };
}

/** `app@%`, as current_user() returns it, in the form of GRANT: `'app'@'%'`. */
export function granteeOf(user: unknown): string {
  const account = String(user);
  const at = account.lastIndexOf('@');
  return `'${account.slice(0, at)}'@'${account.slice(at + 1)}'`;
}

function byName(rows: readonly SqlRow[], fold: (name: string) => string): Map<string, string[]> {
  const groups = Map.groupBy(rows, ({ name }) => fold(String(name)));
  return new Map(
    [...groups].map(([name, all]) => [name, all.map(({ privilege }) => String(privilege))]),
  );
}

// Of the grants that fit a database, the server uses only one: that with the name itself, or the pattern whose
// first wildcard comes last. Of several such patterns, only what all of them give is certain.
function inForce(fitting: readonly [pattern: string, rights: readonly string[]][]): string[] {
  const exactness = fitting.map(([pattern]) => {
    const wildcard = pattern.replaceAll(/\\./g, '..').search(/[%_]/);
    return wildcard === -1 ? Number.POSITIVE_INFINITY : wildcard;
  });
  const most = Math.max(...exactness);
  const [first, ...others] = fitting
    .filter((_, place) => exactness[place] === most)
    .map(([, rights]) => rights);
  return (first ?? []).filter((right) => others.every((rights) => rights.includes(right)));
}

// A grant on a database may be a pattern: `shop\_%`.
function isLike(schema: string, pattern: string): boolean {
  const source = pattern.replaceAll(/\\(.)|([%_])|([^\w])/g, (_, escaped, wild, other) => {
    if (wild !== undefined) return wild === '%' ? '.*' : '.';
    return `\\${escaped ?? other}`.replace(/^\\(\w)$/, '$1');
  });
  return new RegExp(`^${source}$`).test(schema);
}
