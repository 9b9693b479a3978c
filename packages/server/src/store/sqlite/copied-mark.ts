// A file next to a store that marks it as copied to PostgreSQL: servers on both stores would both erase,
// and neither would have the other's requests. The database itself is not changed.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { NotPossible } from '../../domain/task/operator-ports.ts';

const FILE = 'copied-to.json';

export interface CopiedMark {
  /** Id of the store: the mark does not apply to another store in the same folder. */
  readonly store: string;
  readonly schema: string;
  readonly time: string;
}

/** Made from its creation time and first key, so it does not change if the folder is moved. */
export function storeIdOf(database: DatabaseSync): string {
  return digestOf(database, [
    'SELECT applied_time FROM schema_migrations ORDER BY number LIMIT 1',
    'SELECT master_key_id, created_time FROM master_keys ORDER BY created_time, master_key_id LIMIT 1',
  ]);
}

export function digestOf(database: DatabaseSync, queries: readonly string[]): string {
  const rows = queries.map((query) => database.prepare(query).all());
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

export function markCopied(dataDir: string, mark: CopiedMark): void {
  writeFileSync(join(dataDir, FILE), `${JSON.stringify(mark, null, 2)}\n`, { mode: 0o600 });
}

export function refuseCopied(dataDir: string, database: DatabaseSync): void {
  const mark = readMark(join(dataDir, FILE));
  if (mark?.store !== storeIdOf(database)) return;
  throw new NotPossible(
    `the store in ${dataDir} was copied to PostgreSQL (schema ${mark.schema}, ${mark.time}); to serve from there, set UNWRITE_STORE. Served from here too, there would be two stores that both erase. If the copy is not used and never will be, delete ${join(dataDir, FILE)} and start again`,
  );
}

function readMark(path: string): Partial<CopiedMark> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new NotPossible(
      `${path} says whether this store was copied to PostgreSQL, and cannot be read; if it was not, delete it`,
    );
  }
}
