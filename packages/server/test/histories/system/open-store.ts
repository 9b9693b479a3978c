// Both real stores, fresh for each history, on the clock of the history. A store can be closed and opened again.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/domain/clock.ts';
import type { RequestStore } from '../../../src/domain/request/request-ports.ts';
import type { Store, WorkStore } from '../../../src/domain/store/store.ts';
import { createRequestArchive } from '../../../src/store/postgres/archive-requests.ts';
import { createAuditHeadStore } from '../../../src/store/postgres/audit-heads.ts';
import { createFulfilmentStore } from '../../../src/store/postgres/fulfilment-store.ts';
import { createNodeRegistry } from '../../../src/store/postgres/nodes.ts';
import { createRequestStore as createPostgresRequests } from '../../../src/store/postgres/request-store.ts';
import { createStoreParts, createWorkParts } from '../../../src/store/shared/create-stores.ts';
import type { Database } from '../../../src/store/sql.ts';
import { databaseOn } from '../../../src/store/sqlite/database.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import {
  databasePathIn,
  openSqliteStore,
  openSqliteWorkStore,
} from '../../../src/store/sqlite/open-store.ts';
import { createRequestStore as createSqliteRequests } from '../../../src/store/sqlite/request-store.ts';
import { createWriteBatch } from '../../../src/store/sqlite/write-batch.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { makeRowKey, openRowKey } from '../../../src/vault/row-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import { ACME, GLOBEX } from '../../contract/fulfilment/under-test.ts';
import { atEndOfFile } from '../../helpers/at-end-of-file.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../../helpers/stores/fresh-store-database.ts';
import type { StoreKind } from '../../helpers/stores/test-store.ts';

export const CONTROLLERS = [ACME, GLOBEX] as const;
export const MASTER_KEY = randomBytes(32);
export const ring = createMasterKeyRing([MASTER_KEY]);
const { seal } = createIdentityVault(ring);
const sealer = createSecretSealer(ring);

export interface OpenedStore {
  readonly store: Store;
  /** For what no port does: somebody else writes to it. */
  readonly database: Database;
  readonly requests: RequestStore;
  openWorkStore(): WorkStore;
  /** How many intents are kept of these tasks. */
  countIntents(taskNos: readonly number[]): Promise<number>;
  close(): Promise<void>;
}

/** Where a store is; what is in it outlives the openings. */
export interface StoreHome {
  readonly kind: StoreKind;
  /** For the newest head of the audit log. */
  readonly folder: string;
  open(clock: Clock): Promise<OpenedStore>;
  remove(): Promise<void>;
}

export function makeHome(kind: StoreKind): Promise<StoreHome> {
  return kind === 'sqlite' ? makeSqliteHome() : makePostgresHome();
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'unwrite-history-'));
}

const removeFolder = (path: string) => rmSync(path, { recursive: true, force: true });
const NO_CHECKPOINTS = { wrote: () => undefined, shredded: () => undefined };
let template: string | undefined;

/** To migrate an empty file takes longer than many a history. */
async function emptyStore(): Promise<string> {
  if (template !== undefined) return template;
  const folder = makeFolder();
  const store = openSqliteStore(folder, () => 0);
  await prepare(store, folder);
  await store.close();
  template = folder;
  atEndOfFile(async () => {
    removeFolder(folder);
    template = undefined;
  });
  return folder;
}

type Prepared = Pick<Store, 'vaultKeys' | 'tenantWriter' | 'ownSecrets' | 'rowKeys' | 'rowMacs'>;

async function prepare(store: Prepared, dataDir: string): Promise<void> {
  await store.vaultKeys.addMasterKeys(ring.current.id, [], 0);
  const { ownSecrets, rowKeys, rowMacs } = store;
  rowMacs.setKey(await makeRowKey({ ownSecrets, rowKeys, rowMacs, sealer, dataDir }));
  for (const controllerId of CONTROLLERS) {
    const controller = { controllerId, name: null, ssoOrganisation: null, createdTime: 0 };
    await store.tenantWriter.addController(controller, 'system');
  }
}

async function makeSqliteHome(): Promise<StoreHome> {
  const folder = makeFolder();
  copyFileSync(databasePathIn(await emptyStore()), databasePathIn(folder));
  return {
    kind: 'sqlite',
    folder,
    async open(clock) {
      const store = openSqliteStore(folder, clock);
      const rowKey = await openRowKey(store.ownSecrets, sealer);
      store.rowMacs.setKey(rowKey);
      const connection = openDatabase(store.databasePath, 'write');
      const writeBatch = createWriteBatch(connection, seal, clock, rowKey);
      const opened: WorkStore[] = [];
      return {
        store,
        database: databaseOn(connection),
        requests: createSqliteRequests(
          store.reader,
          async (ops) => writeBatch(ops),
          NO_CHECKPOINTS,
        ),
        openWorkStore() {
          const workStore = openSqliteWorkStore(store.databasePath);
          opened.push(workStore);
          return workStore;
        },
        countIntents: (taskNos) => countIntents(databaseOn(store.reader), taskNos),
        async close() {
          for (const one of opened) await one.close();
          connection.close();
          await store.close();
        },
      };
    },
    async remove() {
      removeFolder(folder);
    },
  };
}

async function unlocked<T extends Pick<Store, 'ownSecrets' | 'rowMacs'>>(store: T): Promise<T> {
  store.rowMacs.setKey(await openRowKey(store.ownSecrets, sealer));
  return store;
}

function workPartsOf(database: FreshStoreDatabase['database']) {
  const parts = createWorkParts(database);
  return { ...parts, fulfilment: createFulfilmentStore(database, parts.rowMacs) };
}

async function makePostgresHome(): Promise<StoreHome> {
  const folder = makeFolder();
  const fresh = await freshStoreDatabase();
  const { database } = fresh;
  await prepare(createStoreParts(database), folder);
  return {
    kind: 'postgres',
    folder,
    // Connections cost more than a history, so all openings have the same ones; nothing else is kept.
    open: async (clock) => ({
      store: {
        ...(await unlocked(createStoreParts(database))),
        enter: () => Promise.reject(new Error('no history enters requests')),
        clock,
        auditHeads: createAuditHeadStore(database),
        nodes: createNodeRegistry(database),
        migrated: [],
        close: async () => undefined,
      },
      database,
      requests: createPostgresRequests(database, seal, clock),
      openWorkStore: () => ({
        ...workPartsOf(database),
        auditHeads: createAuditHeadStore(database),
        archive: createRequestArchive(database),
        grownTables: null,
        close: async () => undefined,
      }),
      countIntents: (taskNos) => countIntents(database, taskNos),
      close: async () => undefined,
    }),
    async remove() {
      removeFolder(folder);
      await fresh.close();
    },
  };
}

async function countIntents(database: Database, taskNos: readonly number[]): Promise<number> {
  const row = await database.get<{ intents: number }>(
    'SELECT count(*) AS intents FROM @intents WHERE task_no = ANY(:taskNos::bigint[])',
    { taskNos },
  );
  return row?.intents ?? 0;
}
