// The same shop on each of the three databases.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freshMariadb, hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import { freshPostgres, hasPostgres } from '../../helpers/databases/fresh-postgres.ts';

export type Rows = Record<string, unknown>[];

export interface ShopDatabase {
  /** `connector` and address, as lines of a target in YAML. */
  readonly address: string;
  query(sql: string): Promise<Rows>;
  close(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: string;
  /** What is quoted differently, or called differently. */
  readonly emailType: string;
  open(folder: string): Promise<ShopDatabase>;
}

export const SQLITE: DatabaseKind = {
  name: 'SQLite',
  emailType: 'TEXT COLLATE NOCASE',
  async open(folder) {
    const file = join(folder, 'shop.db');
    const database = new DatabaseSync(file, { timeout: 5000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    return {
      address: `connector: sqlite\n    file: ${file}`,
      query: async (sql) => database.prepare(sql).all(),
      close: async () => database.close(),
    };
  },
};

export const POSTGRES: DatabaseKind = {
  name: 'PostgreSQL',
  emailType: 'VARCHAR(320)',
  async open() {
    const { url, query, close } = await freshPostgres();
    return { address: `connector: postgres\n    url: ${url}`, query: (sql) => query(sql), close };
  },
};

export const MARIADB: DatabaseKind = {
  name: 'MariaDB',
  emailType: 'VARCHAR(320)',
  async open() {
    const { url, query, close } = await freshMariadb();
    return { address: `connector: mysql\n    url: ${url}`, query: (sql) => query(sql), close };
  },
};

/** Those that can be had here; the run's last lines say which could not. */
export async function databaseKinds(): Promise<DatabaseKind[]> {
  return [
    SQLITE,
    ...((await hasPostgres()) ? [POSTGRES] : []),
    ...((await hasMariadb()) ? [MARIADB] : []),
  ];
}
