import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../../../src/store/postgres/open-store.ts';
import { appendAudit } from '../../../src/store/shared/audit/append-audit.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../../helpers/stores/fresh-store-database.ts';

describe.skipIf(!(await hasPostgres()))('reading the audit log while others write', () => {
  let fresh: FreshStoreDatabase;
  let store: PostgresStore;

  beforeEach(async () => {
    fresh = await freshStoreDatabase();
    store = await openPostgresStore({ ...fresh.options, poolSize: 1 });
  });
  afterEach(async () => {
    await store.close();
    await fresh.close();
  });

  async function write(time: number): Promise<void> {
    const rest = { controllerId: null, subjectRequestId: null, detail: null };
    await appendAudit(fresh.database, [{ time, actor: 'system', action: 'seen.asked', ...rest }]);
  }

  it('shows one moment of it, over one connection', async () => {
    await write(1);
    await store.auditHeads.numberRows(10);
    const seen = await store.readAudit(async (chain) => {
      const before = await chain.rowsAfter(0, 10);
      await write(2);
      await fresh.database.run(
        `INSERT INTO @audit_rows (audit_no, time, actor, action) VALUES (2, 2, 'system', 'x')`,
      );
      return [before.length, (await chain.rows(1, 10)).length];
    });
    expect(seen).toEqual([1, 1]);
    expect(await store.readAudit((chain) => chain.rowsAfter(0, 10))).toHaveLength(2);
  });
});
