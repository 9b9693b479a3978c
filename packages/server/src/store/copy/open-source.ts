// Opens the store that is copied: a read-only connection and one transaction, so that all reads see one snapshot.
import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { digestOf, markCopied, storeIdOf } from '../sqlite/copied-mark.ts';
import { migrationStatus } from '../sqlite/migrate.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { databasePathIn } from '../sqlite/open-store.ts';
import { takeServeLock } from '../sqlite/serve-lock.ts';
import { type SourceMemory, sourceMemory } from './source-memory.ts';
import {
  type CopiedTable,
  type Key,
  keyNames,
  type Row,
  readTables,
  type Value,
} from './tables.ts';

export interface ChunkLimits {
  readonly rows: number;
  /** Approximate; a row that is larger is a chunk by itself. */
  readonly bytes: number;
}

export interface CopySource {
  readonly dataDir: string;
  /** Does not change if the folder is moved. */
  readonly id: string;
  /** Changes whenever anything is done in the store. */
  readonly state: string;
  readonly tables: readonly CopiedTable[];
  countRows(table: CopiedTable): number;
  /** The rows after that key, in the order of keys; empty at the end of the table. */
  read(table: CopiedTable, after: Key | null, limits: ChunkLimits): Row[];
  /** The largest number that the table's sequence has ever assigned, if it remembers. */
  lastNumberOf(table: string): number;
  readonly known: SourceMemory;
  /** Ends the transaction and returns whether anything was written since it began. */
  wasWrittenMeanwhile(): boolean;
  /** From then on no server starts on the source. */
  markCopied(schema: string, now: number): void;
  close(): void;
}

/** `waitMs`: how long to wait for a server that is about to stop. */
export function openSource(dataDir: string, waitMs?: number): CopySource {
  const path = databasePathIn(dataDir);
  if (!existsSync(path)) throw new NotPossible(`there is no SQLite store in ${dataDir}`);
  const lock = takeServeLock(dataDir, waitMs);
  if (lock === undefined) {
    throw new NotPossible(
      `a server runs on ${dataDir}; stop it first, so that nothing new is missing from the copy`,
    );
  }
  const database = openDatabase(path, 'read');
  const close = () => {
    database.close();
    lock.release();
  };
  try {
    requireNewest(database, dataDir);
    const read = readAtOneMoment(database);
    return {
      dataDir,
      ...read,
      markCopied: (schema, now) =>
        markCopied(dataDir, { store: read.id, schema, time: new Date(now).toISOString() }),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function requireNewest(database: DatabaseSync, dataDir: string): void {
  const { waiting, newer } = migrationStatus(database);
  if (newer.length > 0) {
    throw new NotPossible(
      `the store in ${dataDir} was made by a later version; copy it with that one`,
    );
  }
  if (waiting.length === 0) return;
  throw new NotPossible(
    `the store in ${dataDir} was made by an earlier version; run "unwrite migrate" on it first`,
  );
}

function readAtOneMoment(database: DatabaseSync) {
  const version = () => database.prepare('PRAGMA data_version').get()?.data_version;
  const before = version();
  database.exec('BEGIN');
  const statements = new Map<string, StatementSync>();
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const made = database.prepare(text);
    made.setReturnArrays(true);
    statements.set(text, made);
    return made;
  };
  return {
    ...fingerprintsOf(database),
    tables: readTables(database),
    known: sourceMemory(database),
    countRows: ({ name }: CopiedTable) =>
      Number(database.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.n),
    read(table: CopiedTable, after: Key | null, { rows, bytes }: ChunkLimits): Row[] {
      const chunk: Row[] = [];
      let size = 0;
      const stored = storedBy(table);
      const statement = prepared(selectOf(table, after));
      for (const found of statement.iterate(...(after ?? []), rows)) {
        const row = (found as unknown as Row).map(stored);
        size += sizeOf(row);
        if (size > bytes && chunk.length > 0) break;
        chunk.push(row);
      }
      return chunk;
    },
    lastNumberOf: (table: string) =>
      Number(
        database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0,
      ),
    wasWrittenMeanwhile() {
      database.exec('COMMIT');
      return version() !== before;
    },
  };
}

function selectOf(table: CopiedTable, after: Key | null): string {
  const key = keyNames(table);
  const where = after === null ? '' : `WHERE (${key}) > (${after.map(() => '?').join(', ')})`;
  const columns = table.columns.map(({ from }) => from).join(', ');
  return `SELECT ${columns} FROM ${table.name} ${where} ORDER BY ${key} LIMIT ?`;
}

function storedBy({ columns }: CopiedTable) {
  return (value: Value, i: number): Value => {
    const stored = columns[i]?.stored;
    return typeof value === 'string' && stored !== undefined ? stored(value) : value;
  };
}

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of row) {
    size += value === null || typeof value === 'number' ? 8 : value.length;
  }
  return size;
}

function fingerprintsOf(database: DatabaseSync): { id: string; state: string } {
  return {
    id: storeIdOf(database),
    // Every change adds a row to the audit log, and a head is made for it.
    state: digestOf(database, [
      'SELECT max(audit_no) AS last FROM audit_rows',
      'SELECT head_no, hex(hash) AS hash FROM audit_heads ORDER BY head_no DESC LIMIT 1',
    ]),
  };
}
