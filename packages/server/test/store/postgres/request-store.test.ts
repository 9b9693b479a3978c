// What is PostgreSQL's own about the hot path; the rest is in test/contract/request-store-suite.ts.
import { randomBytes, randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { ServingStore } from '../../../src/domain/store/store.ts';
import { StoreUnavailable } from '../../../src/domain/store/store-unavailable.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { arrayOfNumbers, arrayOfTexts } from '../../../src/store/postgres/array-texts.ts';
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

const vault = createIdentityVault(createMasterKeyRing([randomBytes(32)]));

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

describe.skipIf(!(await hasPostgres()))('the store of requests on PostgreSQL', () => {
  let fresh: FreshStoreDatabase;
  let database: Database;
  let store: ServingStore;

  beforeEach(async () => {
    fresh = await freshStoreDatabase();
    database = fresh.database;
    store = createRequestStore(database, vault.seal, Date.now);
  });
  afterEach(() => fresh.close());

  const outcomesOf = async (asked: readonly Promise<{ outcome: string }>[]) =>
    (await Promise.all(asked)).map(({ outcome }) => outcome);

  it('neither reads nor cancels a request by a uuid that is not its id', async () => {
    const [asked, other] = [aRequest(), aRequest()];
    await outcomesOf([store.create(asked), store.create(other)]);
    await database.run(
      `UPDATE @requests SET request_uuid = gen_random_uuid() WHERE subject_request_id = $1`,
      [asked.subjectRequestId],
    );
    await database.run(`UPDATE @requests SET request_uuid = $1 WHERE subject_request_id = $2`, [
      asked.subjectRequestId,
      other.subjectRequestId,
    ]);
    expect(await store.read(asked)).toBeUndefined();
    expect(await outcomesOf([store.cancel(asked)])).toEqual(['not_found']);
    const row = await database.get('SELECT 1 FROM @requests WHERE status <> $1', ['pending']);
    expect(row).toBeUndefined();
  });

  it('keeps the order of operations on the same request within one event-loop iteration', async () => {
    const request = aRequest();
    const upper = request.subjectRequestId.toUpperCase() as SubjectRequestId;
    const other = aRequest();
    expect(
      await outcomesOf([
        store.cancel(request),
        store.create(request),
        store.create(other),
        store.create({ ...request, subjectRequestId: upper }),
        store.cancel({ ...request, subjectRequestId: upper }),
        store.cancel(request),
        store.create(request),
        store.cancel(other),
      ]),
    ).toEqual([
      'not_found',
      'created',
      'created',
      'exists',
      'cancelled',
      'not_pending',
      'exists',
      'cancelled',
    ]);
  });

  it('hands nodes that create the same requests in another order one of each', async () => {
    const beside = withTestMacs(openDatabase(fresh.options));
    const other = createRequestStore(beside, vault.seal, Date.now);
    try {
      const requests = Array.from({ length: 300 }, () => aRequest());
      const [ours, theirs] = await Promise.all([
        outcomesOf(requests.map(store.create)),
        outcomesOf(requests.toReversed().map(other.create)),
      ]);
      const both = ours.map((outcome, index) => [outcome, theirs.toReversed()[index]].sort());
      expect(both).toEqual(requests.map(() => ['created', 'exists']));
      const counts = await database.get(`
        SELECT (SELECT count(*) FROM @requests) AS requests,
               (SELECT count(*) FROM @sealed_identities JOIN @requests USING (request_no)) AS sealed,
               (SELECT count(*) FROM @new_audit_rows JOIN @requests USING (request_no)) AS audited
      `);
      expect(counts).toEqual({ requests: 300, sealed: 300, audited: 300 });
    } finally {
      await beside.close();
    }
  });

  it('assigns each request to one of several nodes that cancel the same ones in another order', async () => {
    const beside = withTestMacs(openDatabase(fresh.options));
    const other = createRequestStore(beside, vault.seal, Date.now);
    try {
      const requests = Array.from({ length: 300 }, () => aRequest());
      await Promise.all(requests.map(store.create));
      const [ours, theirs] = await Promise.all([
        outcomesOf(requests.map(store.cancel)),
        outcomesOf(requests.toReversed().map(other.cancel)),
      ]);
      const both = ours.map((outcome, index) => [outcome, theirs.toReversed()[index]].sort());
      expect(both).toEqual(requests.map(() => ['cancelled', 'not_pending']));
      const counts = await database.all(
        `SELECT count FROM @daily_counts WHERE what = 'cancelled' AND whose = 'acme'`,
      );
      expect(counts).toEqual([{ count: 300 }, { count: 300 }]);
    } finally {
      await beside.close();
    }
  });

  it('shreds identities that an operator adds while the request is cancelled', async () => {
    const request = aRequest();
    await store.create(request);
    let cancelling: Promise<unknown> | undefined;
    await database.transaction(async (sql) => {
      const held = await sql.get<{ no: number }>(
        'SELECT request_no AS no FROM @requests FOR UPDATE',
      );
      cancelling = store.cancel(request);
      // It has looked by then.
      await untilSomebodyWaits(database);
      await sql.run(
        `INSERT INTO @added_identities (request_no, source, master_key_id, wrapped_key, sealed)
         VALUES ($1, 'operator:jo', '', '', '')`,
        [held?.no],
      );
    });
    expect(await cancelling).toMatchObject({ outcome: 'cancelled' });
    expect(await database.all('SELECT * FROM @added_identities')).toEqual([]);
    expect(await database.all('SELECT * FROM @sealed_identities')).toEqual([]);
  });

  it('rejects what a server that is away was asked for, and nothing else', async () => {
    const away = withTestMacs(
      openDatabase({ ...fresh.options, url: 'postgresql://x@127.0.0.1:1/x' }),
    );
    const nowhere = createRequestStore(away, vault.seal, Date.now);
    const request = aRequest();
    for (const asked of [nowhere.create, nowhere.cancel, nowhere.read]) {
      await expect(asked(request)).rejects.toThrow(StoreUnavailable);
    }
    await away.close();
  });

  /** Before each row: what a server does that never lets a write through. */
  async function onEveryRow(event: 'INSERT' | 'UPDATE', work: string): Promise<void> {
    await database.run(
      `CREATE FUNCTION @never() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work} END $$`,
    );
    await database.run(
      `CREATE TRIGGER never BEFORE ${event} ON @requests FOR EACH ROW EXECUTE FUNCTION @never()`,
    );
  }

  it('gives up a create that is refused as archived again and again', async () => {
    await onEveryRow(
      'INSERT',
      `RAISE EXCEPTION 'no' USING ERRCODE = 'unique_violation', CONSTRAINT = 'archived_requests_by_id';`,
    );
    await expect(store.create(aRequest())).rejects.toThrow(StoreUnavailable);
  });

  it('gives up a cancellation of what stays pending again and again', async () => {
    const [stuck, other] = [aRequest(), aRequest()];
    await Promise.all([stuck, other].map(store.create));
    const { subjectRequestId } = stuck;
    await onEveryRow(
      'UPDATE',
      `IF NEW.subject_request_id = '${subjectRequestId}' THEN RETURN NULL; END IF; RETURN NEW;`,
    );
    const cancelled = store.cancel(other);
    await expect(store.cancel(stuck)).rejects.toThrow(StoreUnavailable);
    expect(await cancelled).toMatchObject({ outcome: 'cancelled' });
  });

  it('rejects what it could not read', async () => {
    await database.run('ALTER TABLE @requests RENAME TO others');
    await expect(store.read(aRequest())).rejects.toThrow(StoreUnavailable);
  });

  it('writes arrays of any text', async () => {
    const texts = [
      '',
      'plain',
      'a "quoted" word',
      '\\',
      ',',
      '{',
      'NULL',
      'null',
      ' ',
      '"',
      "'",
      'ö',
    ];
    for (const given of [texts, texts.slice(0, 2), [], ['NULL'], ['"']]) {
      const row = await database.get<{ texts: string[] }>('SELECT $1::text[] AS texts', [
        arrayOfTexts(given),
      ]);
      expect(row?.texts).toEqual(given);
    }
    const row = await database.get('SELECT $1::int[] AS numbers', [arrayOfNumbers([3, -1])]);
    expect(row).toEqual({ numbers: [3, -1] });
  });
});
