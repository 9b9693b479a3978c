import { randomBytes, randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { createGrownChore } from '../../../src/retention/grown-chore.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { createGrownTables } from '../../../src/store/postgres/grown-tables.ts';
import { prepareReadStatuses } from '../../../src/store/postgres/read-status.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../../helpers/stores/fresh-store-database.ts';

describe.skipIf(!(await hasPostgres()))('tables that have grown', () => {
  let fresh: FreshStoreDatabase;
  let database: Database;

  beforeEach(async () => {
    // One connection: it keeps its plans. A schema of its own, where nothing has been counted yet.
    const schema = `grown_${randomBytes(6).toString('hex')}`;
    fresh = await freshStoreDatabase({ poolSize: 1, schema });
    database = fresh.database;
    // A server that counts by itself would make this pass without us.
    await database.run('ALTER TABLE @requests SET (autovacuum_enabled = false)');
  });
  afterEach(() => fresh.close());

  const fill = (requests: number) =>
    database.run(
      `INSERT INTO @requests
         (controller_id, subject_request_id, request_uuid, status, regulation, submitted_time,
          received_time, created_by, identity_count)
       SELECT 'acme', id::text, id, 'pending', 'gdpr', '', 0, '', 0
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1::int)) AS ids`,
      [requests],
    );

  const readMany = async (times: number) => {
    const read = prepareReadStatuses(database);
    // Few would be planned anew each time.
    const keys = Array.from({ length: 30 }, () => ({
      controllerId: 'acme' as ControllerId,
      subjectRequestId: randomUUID() as SubjectRequestId,
    }));
    for (let time = 0; time < times; time++) await read(keys);
  };

  /** Rows that were read by reading a table as a whole. */
  async function readAsAWhole(): Promise<number> {
    await database.run('SELECT pg_stat_force_next_flush()');
    const row = await database.get<{ rows: number }>(
      `SELECT seq_tup_read AS rows FROM pg_stat_user_tables
       WHERE schemaname = $1 AND relname = 'requests'`,
      [database.schema],
    );
    return row?.rows ?? 0;
  }

  const tables = () => createGrownTables(database);

  /** Answers whether the plan that was made while it was small is still in use. */
  async function grow(): Promise<boolean> {
    await database.run('TRUNCATE @requests CASCADE');
    await fill(10);
    await database.run('VACUUM ANALYZE @requests');
    expect(await tables().areThere()).toBe(false);
    await readMany(10);
    await fill(20_000);
    expect(await tables().areThere()).toBe(true);
    const before = await readAsAWhole();
    await readMany(1);
    return (await readAsAWhole()) > before;
  }

  it('are analysed again, and what was prepared when they were small is prepared again', async () => {
    // Tables that other tests make and drop meanwhile may let the server plan anew by itself.
    await vi.waitFor(async () => expect(await grow()).toBe(true), { timeout: 20_000 });

    await tables().countAgain();
    expect(await tables().areThere()).toBe(false);
    const after = await readAsAWhole();
    await readMany(5);
    expect(await readAsAWhole()).toBe(after);
  });

  it('are looked for every other second', async () => {
    const chore = createGrownChore(createGrownTables(database));
    await fill(2000);
    expect(await chore.isDue(10_000)).toBe(true);
    expect(await chore.isDue(11_000)).toBe(false);
    expect(await chore.isDue(12_000)).toBe(true);
    await chore.run(12_000);
    expect(await chore.isDue(14_000)).toBe(false);
  });
});
