// The SQLite store as a whole: one file, with one connection that writes for operators and one that reads.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../domain/clock.ts';
import type { DueStore, Store, WorkStore } from '../../domain/store/store.ts';
import { createStoreParts, createWorkParts } from '../shared/create-stores.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { databaseOn } from './database.ts';
import { createFulfilmentStore } from './fulfilment-store.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { refuseMixed } from './require-whole.ts';

export interface SqliteStore extends Store {
  readonly databasePath: string;
  readonly reader: DatabaseSync;
}

export function databasePathIn(dataDir: string): string {
  return join(dataDir, 'unwrite.db');
}

export function openSqliteStore(dataDir: string, clock: Clock): SqliteStore {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const databasePath = databasePathIn(dataDir);
  refuseMixed(databasePath);
  const writer = openDatabase(databasePath, 'write');
  const migrated = migrate(writer, clock());
  const reader = openDatabase(databasePath, 'read');
  return {
    ...createStoreParts(databaseOn(writer), databaseOn(reader)),
    databasePath,
    reader,
    clock,
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
