// What is answered must survive a power cut. Which calls reach the disk, crash/durability.test.ts traces
// where that can be done; here is what can be seen from inside.
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFulfilmentStore } from '../../../src/store/sqlite/fulfilment-store.ts';
import { migrate } from '../../../src/store/sqlite/migrate.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { createWriteBatch } from '../../../src/store/sqlite/write-batch.ts';
import type { WriteOp } from '../../../src/store/write-ops.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { aRequest } from '../../contract/fulfilment/under-test.ts';
import { TEST_AUTHENTICATOR, testMacs } from '../../helpers/stores/row-macs.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));
const FULL = 2;

let folder: TemporaryFolder;
let database: DatabaseSync;

beforeEach(() => {
  folder = makeTemporaryFolder();
  database = openDatabase(join(folder.path, 'unwrite.db'), 'write');
  migrate(database, 1000);
  database.exec("INSERT INTO controllers (controller_id, created_time) VALUES ('acme', 0)");
});
afterEach(() => {
  database.close();
  folder.remove();
});

const synchronous = () => database.prepare('PRAGMA synchronous').get()?.synchronous;

describe('what the writer answers', () => {
  it('is committed by then: another connection sees the create, and then the cancellation', () => {
    const vault = createIdentityVault(createMasterKeyRing([randomBytes(32)]));
    database.exec('PRAGMA foreign_keys = OFF');
    const writeBatch = createWriteBatch(database, vault.seal, Date.now, TEST_AUTHENTICATOR);
    const reader = openDatabase(join(folder.path, 'unwrite.db'), 'read');
    const statuses = () =>
      reader
        .prepare('SELECT status FROM requests')
        .all()
        .map(({ status }) => status);
    const request = aRequest({ subjectRequestId: randomUUID() as SubjectRequestId });
    const { controllerId, subjectRequestId, actor } = request;
    const cancel: WriteOp = { op: 'cancel', command: { controllerId, subjectRequestId, actor } };

    expect(writeBatch([{ op: 'create', request }])).toMatchObject([{ outcome: 'created' }]);
    expect(statuses()).toEqual(['pending']);
    expect(writeBatch([cancel])).toMatchObject([{ outcome: 'cancelled' }]);
    expect(statuses()).toEqual(['cancelled']);
    expect(database.isTransaction).toBe(false);
    reader.close();
  });
});

describe('a lease', () => {
  const leaseRequest = { target: 'crm', max: 1, worker: 'w', now: 1000, leaseUntil: 2000 };

  it('may wait for the next sync, and nothing after it may', async () => {
    const exec = vi.spyOn(database, 'exec');
    const store = createFulfilmentStore(database, testMacs());
    await store.leaseBatch(leaseRequest);
    expect(synchronous()).toBe(FULL);
    const said = exec.mock.calls.flatMap(([sql]) => /PRAGMA synchronous = \w+/.exec(sql) ?? []);
    expect(said).toEqual(['PRAGMA synchronous = NORMAL', 'PRAGMA synchronous = FULL']);
  });

  it('a lease that fails leaves a connection that still syncs', async () => {
    const store = createFulfilmentStore(database, testMacs());
    database.exec('DROP TABLE batches');
    await expect(store.leaseBatch(leaseRequest)).rejects.toThrow(/batches/);
    expect(synchronous()).toBe(FULL);
  });
});

it('no other source file says how far a commit is synced', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const saying = files.filter(
    (file) =>
      file.endsWith('.ts') &&
      /PRAGMA[^;]*\b(synchronous|fullfsync)\b/i.test(readFileSync(join(SOURCES, file), 'utf8')),
  );
  const store = saying
    .map((file) => file.replaceAll('\\', '/'))
    .filter((it) => !it.startsWith('connectors/'));
  expect(store.toSorted()).toEqual([
    // Of a file that is used only after it was synced as a whole.
    'store/backup/sqlite-place.ts',
    'store/sqlite/fulfilment-store.ts',
    'store/sqlite/open-database.ts',
  ]);
});
