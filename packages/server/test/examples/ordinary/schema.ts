// A small schema of a kind that ordinary applications have, in which jane@x.org is one person beside bob@x.org.
import type { Kind } from '../../misleading-schemas/misled-target.ts';

export interface OrdinarySchema {
  readonly name: string;
  readonly on: readonly Kind[];
  readonly schema: string;
  readonly settings: readonly string[];
  /** Rows that stay, by table, or by table and condition. */
  readonly left: Readonly<Record<string, number>>;
}

export const EACH: readonly Kind[] = ['SQLite', 'PostgreSQL', 'MariaDB'];
export const ACME = 'controllers: [acme]';
export const USERS = '{ table: users, match: { email: email } }';
export const TWO_USERS = `INSERT INTO users (id, email) VALUES (1, 'jane@x.org'), (2, 'bob@x.org')`;

export const plan = (...tables: string[]) => `tables: [${tables.join(', ')}]`;
export const ofUser = (table: string) => `{ table: ${table}, via: { users: { user_id: id } } }`;

/** The plan of one table of users, with these columns overwritten. */
export const overwriting = (columns: string) =>
  plan(`{ table: users, match: { email: email }, action: { overwrite: { ${columns} } } }`);
