// A version of Unwrite that there is not: this one, with further migrations. As an installed package, it has a folder beside
// this one's.
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readMigrations } from '../../src/store/sqlite/migrate.ts';
import { BIN } from '../helpers/servers/server-process.ts';

/** What this version knows. */
export const KNOWN = readMigrations().length;

export interface InventedVersion {
  readonly bin: string;
  remove(): void;
}

interface InventedMigration {
  /** The newest migration that versions know which can work with it, at least. */
  readonly worksFrom: number;
  readonly name: string;
  readonly sqlite: string;
  readonly postgres: string;
}

/** As a release does it: a column and a table that this version does not know, filled from what is there. */
export const EXPANDING: InventedMigration = {
  worksFrom: KNOWN,
  name: 'region',
  sqlite: `
    ALTER TABLE requests ADD COLUMN region TEXT NOT NULL DEFAULT 'unknown';
    ALTER TABLE tasks ADD COLUMN region TEXT;
    CREATE TABLE regions (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    INSERT INTO regions SELECT DISTINCT region FROM requests;
  `,
  postgres: `
    ALTER TABLE @requests ADD COLUMN region text NOT NULL DEFAULT 'unknown';
    ALTER TABLE @tasks ADD COLUMN region text;
    CREATE TABLE @regions (name text PRIMARY KEY);
    INSERT INTO @regions SELECT DISTINCT region FROM @requests;
  `,
};

/** What the version with EXPANDING does not use any more, and this one does. */
export const CONTRACTING: InventedMigration = {
  worksFrom: KNOWN + 1,
  name: 'without-regions',
  sqlite: 'ALTER TABLE tasks DROP COLUMN region; DROP TABLE regions;',
  postgres: 'ALTER TABLE @tasks DROP COLUMN region; DROP TABLE @regions;',
};

/** Takes seconds, and longer than a statement may elsewhere: SLOW_TIMEOUT. */
export const SLOW: InventedMigration = {
  worksFrom: KNOWN,
  name: 'slow',
  sqlite: `
    CREATE TABLE filler (number INTEGER PRIMARY KEY, text TEXT) STRICT;
    WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted LIMIT 2000000)
    INSERT INTO filler SELECT n, hex(randomblob(50)) FROM counted;
    DROP TABLE filler;
  `,
  postgres: `
    CREATE TABLE @slow (number integer PRIMARY KEY);
    SELECT pg_sleep(8);
  `,
};
/** On PostgreSQL; this process itself waits five seconds longer. */
export const SLOW_TIMEOUT = '1s';

export const nameOf = (number: number, { name }: InventedMigration): string =>
  `${four(number)}-${name}`;

const four = (number: number) => String(number).padStart(4, '0');

export function inventVersion(
  version: string,
  added: readonly InventedMigration[],
): InventedVersion {
  const own = dirname(dirname(realpathSync(BIN)));
  const folder = `${own}-${randomBytes(4).toString('hex')}`;
  cpSync(own, folder, { recursive: true });
  const about = join(folder, 'package.json');
  const described = JSON.parse(readFileSync(about, 'utf8'));
  writeFileSync(about, JSON.stringify({ ...described, version }));
  for (const [index, migration] of added.entries()) {
    const name = nameOf(KNOWN + 1 + index, migration);
    for (const kind of ['sqlite', 'postgres'] as const) {
      const first = `-- Works with versions that know ${four(migration.worksFrom)} or newer.\n`;
      writeFileSync(join(folder, 'migrations', kind, `${name}.sql`), `${first}${migration[kind]}`);
    }
  }
  return {
    bin: join(folder, 'bin', 'unwrite.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
