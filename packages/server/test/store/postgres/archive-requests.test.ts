import { randomBytes, randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RequestArchive } from '../../../src/domain/request/forgetting-ports.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { NewRequest, RequestKey } from '../../../src/domain/request/request.ts';
import type { ServingStore } from '../../../src/domain/store/store.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { createRequestArchive } from '../../../src/store/postgres/archive-requests.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/database.ts';
import { createRequestStore } from '../../../src/store/postgres/request-store.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../../helpers/stores/fresh-store-database.ts';
import { withTestMacs } from '../../helpers/stores/row-macs.ts';
import { untilSomebodyWaits } from './until-somebody-waits.ts';

function aRequest(changes: Partial<NewRequest> = {}): NewRequest {
  return {
    controllerId: 'acme' as ControllerId,
    subjectRequestId: randomUUID() as SubjectRequestId,
    regulation: 'gdpr',
    submittedTime: '2026-11-15T02:00:00Z',
    identities: [new Identity('email', 'jane@example.com')],
    actor: 'client:one',
    ...changes,
  };
}

const DONE = 'completed_time = 1000, shredded_time = 1500, receipted_time = 1200';

describe.skipIf(!(await hasPostgres()))('the archive of requests', () => {
  let fresh: FreshStoreDatabase;
  let database: Database;
  let store: ServingStore;
  let archive: RequestArchive;

  beforeEach(async () => {
    fresh = await freshStoreDatabase();
    database = fresh.database;
    const vault = createIdentityVault(createMasterKeyRing([randomBytes(32)]));
    store = createRequestStore(database, vault.seal, Date.now);
    archive = createRequestArchive(database);
  });
  afterEach(() => fresh.close());

  const set = ({ subjectRequestId }: RequestKey, changes: string) =>
    database.run(`UPDATE @requests SET ${changes} WHERE request_uuid = $1::uuid`, [
      subjectRequestId,
    ]);

  async function aCompleted(): Promise<NewRequest> {
    const request = aRequest();
    await store.create(request);
    await set(request, `status = 'completed', ${DONE}`);
    return request;
  }

  async function placesOf({ subjectRequestId }: RequestKey): Promise<string[]> {
    const places: string[] = [];
    for (const table of ['requests', 'archived_requests']) {
      const rows = await database.all(`SELECT 1 FROM @${table} WHERE request_uuid = $1::uuid`, [
        subjectRequestId,
      ]);
      places.push(...rows.map(() => table));
    }
    return places;
  }

  it('takes requests that are final, shredded and receipted; status reads, creates and cancels answer as before', async () => {
    const request = await aCompleted();
    const before = await store.read(request);
    expect(await archive.anyToArchive(999)).toBe(false);
    expect(await archive.archive(999, 10)).toBe(0);
    expect(await archive.anyToArchive(1000)).toBe(true);
    expect(await archive.archive(1000, 10)).toBe(1);
    expect(await archive.anyToArchive(1000)).toBe(false);
    expect(await placesOf(request)).toEqual(['archived_requests']);

    expect(await store.read(request)).toEqual(before);
    expect(await store.cancel(request)).toEqual({ outcome: 'not_pending', status: 'completed' });
    expect(await store.create(request)).toEqual({ outcome: 'exists' });
    const theirs = { ...request, controllerId: 'globex' as ControllerId };
    expect(await store.read(theirs)).toBeUndefined();
    expect(await store.create(theirs)).toMatchObject({ outcome: 'created' });
  });

  it("refuses what a batch repeats of it, and not another controller's request with the same id", async () => {
    const request = await aCompleted();
    await archive.archive(1000, 10);
    const theirs = { ...request, controllerId: 'globex' as ControllerId };
    const outcomes = await Promise.all([request, theirs, aRequest()].map(store.create));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['exists', 'created', 'created']);
    expect(await store.read(theirs)).toMatchObject({ status: 'pending' });
  });

  it('takes all columns as they were', async () => {
    const request = await aCompleted();
    await set(request, `started_time = 900, plan_id = 'plan', start_asked_by = 'operator:jo'`);
    const [before] = await database.all('SELECT * FROM @requests');
    await archive.archive(1000, 10);
    expect(await database.all('SELECT * FROM @archived_requests')).toEqual([before]);
  });

  it('takes a request without identities without a shredding, and one that was cancelled', async () => {
    const nobody = aRequest({ identities: [] });
    await store.create(nobody);
    await set(nobody, `status = 'completed', completed_time = 1000, receipted_time = 1200`);
    const cancelled = aRequest();
    await store.create(cancelled);
    await store.cancel(cancelled);
    await set(cancelled, 'cancelled_time = 1000');
    expect(await archive.archive(1000, 10)).toBe(2);
  });

  it.each([
    ['is pending', `status = 'pending'`],
    ['is in progress', `status = 'in_progress'`],
    ['is not shredded', 'shredded_time = NULL'],
    ['has no receipt', 'receipted_time = NULL'],
    ['is erased again', 'again_asked_time = 2000'],
  ])('leaves a request that %s', async (_, change) => {
    const request = await aCompleted();
    await set(request, change);
    expect(await archive.anyToArchive(5000)).toBe(false);
    expect(await archive.archive(5000, 10)).toBe(0);
  });

  it('takes a batch at a time, the oldest first, and waits for no lock', async () => {
    const requests = await Promise.all(Array.from({ length: 5 }, aCompleted));
    for (const [index, request] of requests.entries()) {
      await set(request, `completed_time = ${1000 - index}`);
    }
    const [, held] = requests;
    await database.transaction(async (sql) => {
      await sql.run('SELECT 1 FROM @requests WHERE request_uuid = $1::uuid FOR UPDATE', [
        held?.subjectRequestId,
      ]);
      expect(await archive.archive(1000, 3)).toBe(3);
    });
    const places = await Promise.all(requests.map(placesOf));
    expect(places.map(([place]) => place)).toEqual([
      'requests',
      'requests',
      'archived_requests',
      'archived_requests',
      'archived_requests',
    ]);
  });

  it('keeps every value, even if the archive has its columns in another order', async () => {
    const request = await aCompleted();
    await database.run('DROP VIEW @all_requests');
    await database.run('ALTER TABLE @archived_requests DROP COLUMN created_by');
    await database.run('ALTER TABLE @archived_requests ADD COLUMN created_by text NOT NULL');
    const [before] = await database.unprepared.all('SELECT * FROM @requests');
    expect(await archive.archive(2000, 10)).toBe(1);
    expect(await database.unprepared.all('SELECT * FROM @archived_requests')).toEqual([before]);
    expect(await placesOf(request)).toEqual(['archived_requests']);
  });

  it('refuses an archived id, however many new ones come with it', async () => {
    const old = await Promise.all(Array.from({ length: 3 }, aCompleted));
    await archive.archive(1000, 10);
    const fresh = Array.from({ length: 10 }, () => aRequest());
    const outcomes = await Promise.all([...fresh, ...old, ...fresh].map(store.create));
    expect(outcomes.slice(0, 10).every(({ outcome }) => outcome === 'created')).toBe(true);
    expect(outcomes.slice(10).every(({ outcome }) => outcome === 'exists')).toBe(true);
    for (const request of old) expect(await placesOf(request)).toEqual(['archived_requests']);
  });

  it('refuses an id that is archived while it is created again', async () => {
    const request = await aCompleted();
    let creating: Promise<unknown> | undefined;
    const neighbour = aRequest();
    await database.transaction(async (sql) => {
      await createRequestArchive({ ...database, ...sql }).archive(1000, 10);
      creating = Promise.all([store.create(request), store.create(neighbour)]);
      await untilSomebodyWaits(database);
    });
    expect(await creating).toMatchObject([{ outcome: 'exists' }, { outcome: 'created' }]);
    expect(await placesOf(request)).toEqual(['archived_requests']);
    expect(await placesOf(neighbour)).toEqual(['requests']);
  });

  it('has every request in exactly one place while nodes create, read and archive', async () => {
    const requests = await Promise.all(Array.from({ length: 200 }, aCompleted));
    const beside = withTestMacs(openDatabase(fresh.options));
    const other = createRequestArchive(beside);
    try {
      const archiving = (async () => {
        let moved = 0;
        while (moved < requests.length) moved += await other.archive(1000, 7);
      })();
      const outcomes = await Promise.all(
        requests.map(async (request) => [
          (await store.read(request))?.status,
          (await store.create(request)).outcome,
          (await store.read(request))?.status,
        ]),
      );
      await archiving;
      expect(outcomes).toEqual(requests.map(() => ['completed', 'exists', 'completed']));
      for (const request of requests) expect(await placesOf(request)).toHaveLength(1);
    } finally {
      await beside.close();
    }
  });
});
