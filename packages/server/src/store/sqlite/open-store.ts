// The SQLite store as a whole: one file, with one connection that writes for operators and one that reads.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../domain/clock.ts';
import type { CreateOutcome } from '../../domain/request/request.ts';
import type { DueStore, Store, WorkStore } from '../../domain/store/store.ts';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { MigrationMismatch } from '../migrations.ts';
import { createStoreParts, createWorkParts } from '../shared/create-stores.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { databaseOn } from './database.ts';
import { createFulfilmentStore } from './fulfilment-store.ts';
import { migrate, migrationStatus } from './migrate.ts';
import { BUSY_TIMEOUT_MS, openDatabase } from './open-database.ts';
import { refuseMixed } from './require-whole.ts';
import { withServeLock } from './serve-lock.ts';
import { createWriteBatch } from './write-batch.ts';

export interface SqliteStore extends Store {
  readonly databasePath: string;
  readonly reader: DatabaseSync;
}

export function databasePathIn(dataDir: string): string {
  return join(dataDir, 'unwrite.db');
}

/** Has the rows of a backup until its restore is complete. */
export function restoringPathIn(dataDir: string): string {
  return `${databasePathIn(dataDir)}.restoring`;
}

/** Without this, a server that is started after an interrupted restore would make a new, empty store. */
export function refuseRestoring(dataDir: string): void {
  const path = restoringPathIn(dataDir);
  if (!existsSync(path)) return;
  throw new NotPossible(
    `a backup is being restored into ${dataDir}, or its restore was interrupted: wait for its end, or run "unwrite backup restore" again. If it is not wanted any more, remove ${path}`,
  );
}

/** Not beside a server, which may be of an earlier version. No server works with a new store yet. */
function migrateAlone(dataDir: string, writer: DatabaseSync, now: number): string[] {
  const { applied, waiting } = migrationStatus(writer);
  if (waiting.length === 0) return [];
  if (applied.length === 0) return migrate(writer, now);
  const migrated = withServeLock(dataDir, () => migrate(writer, now));
  if (migrated !== undefined) return migrated;
  // The server may have been about to migrate.
  if (migrationStatus(writer).waiting.length === 0) return [];
  throw new MigrationMismatch(
    `the store in ${dataDir} needs ${waiting.join(', ')}, and a server uses it: stop that, then start this version`,
  );
}

export function openSqliteStore(dataDir: string, clock: Clock): SqliteStore {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  refuseRestoring(dataDir);
  const databasePath = databasePathIn(dataDir);
  refuseMixed(databasePath);
  const writer = openDatabase(databasePath, 'write');
  const migrated = migrateAlone(dataDir, writer, clock());
  const reader = openDatabase(databasePath, 'read');
  const parts = createStoreParts(databaseOn(writer), databaseOn(reader));
  return {
    ...parts,
    databasePath,
    reader,
    clock,
    enter: (request, sealed) =>
      databaseOn(writer).alone(() => {
        const { compute: macOf } = parts.rowMacs;
        const write = createWriteBatch(writer, () => sealed, clock, { macOf });
        return write([{ op: 'create', request }])[0] as CreateOutcome;
      }),
    operator: {
      ...parts.operator,
      // Without its wrapped key in the write-ahead log, either.
      async cancel(request, reason, by) {
        await parts.operator.cancel(request, reason, by);
        await databaseOn(writer).alone(() => truncateLog(writer));
      },
    },
    // The server seals too: for receipts on demand, and before it stops. The worker thread has
    // its own connection.
    auditHeads: createAuditHeadStore(writer),
    nodes: null,
    migrated,
    async close() {
      reader.close();
      writer.close();
    },
  };
}

/** Without waiting: a reader that is in its way leaves the rest of the log to the next time. */
function truncateLog(writer: DatabaseSync): void {
  writer.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  writer.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

/** The store of a worker: one connection, besides that of the writer thread. */
export function openSqliteWorkStore(
  databasePath: string,
  committed?: (ms: number) => void,
): WorkStore {
  const connection = openDatabase(databasePath, 'write');
  const parts = createWorkParts(databaseOn(connection, committed));
  return {
    ...parts,
    fulfilment: createFulfilmentStore(connection, parts.rowMacs),
    auditHeads: createAuditHeadStore(connection),
    archive: null,
    grownTables: null,
    async close() {
      connection.close();
    },
  };
}

/** Decides whether a worker is needed, on a read-only connection. */
export function createDueStore(reader: DatabaseSync): DueStore {
  return { ...createWorkParts(databaseOn(reader)), auditHeads: createAuditHeadStore(reader) };
}
