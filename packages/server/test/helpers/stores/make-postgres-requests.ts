// The store of requests on PostgreSQL, as the contract suite looks at it.
import { randomBytes } from 'node:crypto';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { SealedBytes } from '../../../src/domain/task/fulfilment-ports.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { createRequestStore } from '../../../src/store/postgres/request-store.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import type { MakeStore } from '../../contract/request-store-suite.ts';
import { freshStoreDatabase } from './fresh-store-database.ts';

const OF_REQUEST = 'WHERE request_uuid = $1::uuid AND controller_id = $2';

export const makePostgresRequests: MakeStore = async () => {
  const { database, close } = await freshStoreDatabase();
  const vault = createIdentityVault(createMasterKeyRing([randomBytes(32)]));
  const counting = countWrites(database);
  const store = createRequestStore(counting.database, vault.seal, Date.now);
  const valuesOf = ({ subjectRequestId, controllerId }: RequestKey) => [
    subjectRequestId,
    controllerId,
  ];

  return {
    store,
    transactions: counting.writes,
    async poison(subjectRequestId) {
      await database.run(`
        CREATE FUNCTION @poison() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'poisoned'; END $$;
        CREATE TRIGGER poison BEFORE INSERT ON @new_audit_rows FOR EACH ROW
        WHEN (NEW.subject_request_id = '${subjectRequestId}') EXECUTE FUNCTION @poison()
      `);
    },
    async setStatus(key, status) {
      await database.run(`UPDATE @requests SET status = $3 ${OF_REQUEST}`, [
        ...valuesOf(key),
        status,
      ]);
    },
    audit: ({ controllerId, subjectRequestId }) =>
      database.all(
        `SELECT action, actor, time FROM @new_audit_rows
         WHERE controller_id = $1 AND subject_request_id = $2 ORDER BY arrival_no`,
        [controllerId, subjectRequestId],
      ),
    async openIdentities(key) {
      const row = await database.get<SealedBytes>(
        `SELECT master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey", sealed
         FROM @sealed_identities
         WHERE request_no = (SELECT request_no FROM @requests ${OF_REQUEST})`,
        valuesOf(key),
      );
      return row === undefined ? undefined : vault.open(key, row);
    },
    close,
  };
};

/** A statement that writes, alone, is a transaction too. */
function countWrites(database: Database): { database: Database; writes(): number } {
  let writes = 0;
  const count = (text: string) => {
    if (/\b(INSERT|UPDATE|DELETE)\b/.test(text)) writes++;
  };
  return {
    database: {
      ...database,
      all(text, values) {
        count(text);
        return database.all(text, values);
      },
      run(text, values) {
        count(text);
        return database.run(text, values);
      },
      transaction(work) {
        writes++;
        return database.transaction(work);
      },
    },
    writes: () => writes,
  };
}
