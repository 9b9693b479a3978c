// The PostgreSQL store as a whole: for the command line and the API of one process, and for a worker, which has
// its own connections.
import type { Clock } from '../../domain/clock.ts';
import type { Store, WorkStore } from '../../domain/store/store.ts';
import { createStoreParts, createWorkParts } from '../shared/create-stores.ts';
import { createRequestArchive } from './archive-requests.ts';
import { createAuditHeadStore } from './audit-heads.ts';
import { prepareCreateRequests } from './create-request.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { startDatabaseClock } from './database-clock.ts';
import { createFulfilmentStore } from './fulfilment-store.ts';
import { createGrownTables } from './grown-tables.ts';
import { migrate } from './migrate.ts';
import { createNodeRegistry } from './nodes.ts';
import { ping } from './ping.ts';
import { refuseUnfinishedCopy } from './unfinished-copy.ts';

export interface PostgresStore extends Store {
  readonly database: Database;
}

export interface PostgresWorkStore extends WorkStore {
  readonly database: Database;
  readonly clock: Clock;
}

export async function openPostgresStore(options: DatabaseOptions): Promise<PostgresStore> {
  return closedIfFailed(openDatabase(options), async (database) => {
    const migrated = await migrate(database);
    await refuseUnfinishedCopy(database);
    const clocked = await withClock(database);
    return {
      ...createStoreParts(database),
      ...clocked,
      async enter(request, sealed) {
        const create = prepareCreateRequests(database, () => sealed);
        const [outcome = { outcome: 'exists' }] = await create([request], clocked.clock());
        return outcome;
      },
      auditHeads: createAuditHeadStore(database),
      nodes: createNodeRegistry(database),
      ping: () => ping(database),
      migrated,
    };
  });
}

export async function openPostgresWorkStore(
  options: DatabaseOptions,
  committed?: (ms: number) => void,
): Promise<PostgresWorkStore> {
  return closedIfFailed(openDatabase(options, committed), async (database) => {
    const parts = createWorkParts(database);
    return {
      ...parts,
      ...(await withClock(database)),
      fulfilment: createFulfilmentStore(database, parts.rowMacs),
      auditHeads: createAuditHeadStore(database),
      archive: createRequestArchive(database),
      grownTables: createGrownTables(database),
    };
  });
}

async function withClock(database: Database) {
  const clock = await startDatabaseClock(database);
  return {
    database,
    clock: clock.now,
    async close() {
      clock.close();
      await database.close();
    },
  };
}

async function closedIfFailed<T>(
  database: Database,
  open: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    return await open(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}
