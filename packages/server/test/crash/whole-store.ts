// Looks for anything half-written: in the file, in SQLite's own eyes, and by what belongs together.
import { DatabaseSync } from 'node:sqlite';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { readMasterKeyFile } from '../../src/vault/master-key-file.ts';
import { createIdentityVault } from '../../src/vault/seal-identities.ts';
import type { Ledger } from './load.ts';

/** Counted once for all requests: the log has no index on their numbers. `count` comes before the number of rows. */
const wrongly = (count: string, action: string) => `
    SELECT subject_request_id FROM requests r LEFT JOIN (
      SELECT request_no, count(*) AS rows FROM audit_rows WHERE action = '${action}' GROUP BY request_no
    ) a USING (request_no)
    WHERE ${count} <> coalesce(a.rows, 0)`;

/** Each query finds rows that no finished transaction leaves behind. */
const HALF_WRITTEN: Record<string, string> = {
  'a pending request without its sealed identities': `
    SELECT subject_request_id FROM requests r WHERE status = 'pending' AND identity_count > 0
      AND NOT EXISTS (SELECT 1 FROM sealed_identities s WHERE s.request_no = r.request_no)`,
  'a request without exactly one audit row of its creation': wrongly('1', 'request.created'),
  'a request whose cancellation and its audit row disagree': wrongly(
    "(status = 'cancelled')",
    'request.cancelled',
  ),
  'a cancelled request that is not shredded': `
    SELECT subject_request_id FROM requests r WHERE status = 'cancelled'
      AND (cancelled_time IS NULL
        OR EXISTS (SELECT 1 FROM sealed_identities s WHERE s.request_no = r.request_no))`,
  'an audit row of a request that is not there': `
    SELECT subject_request_id FROM audit_rows WHERE subject_request_id IS NOT NULL
      AND (request_no IS NULL OR request_no NOT IN (SELECT request_no FROM requests))`,
};

export interface StoreFindings {
  readonly integrity: string;
  readonly halfWritten: string[];
  /** Acknowledged, and not in the store as acknowledged. */
  readonly lost: string[];
  /** Pending, and the sealed identities are not those that were sent. */
  readonly wrongIdentities: string[];
}

export const WHOLE: StoreFindings = {
  integrity: 'ok',
  halfWritten: [],
  lost: [],
  wrongIdentities: [],
};

export function inspectStore(dataDir: string, controllerId: string, ledger: Ledger): StoreFindings {
  const database = new DatabaseSync(`${dataDir}/unwrite.db`, { readOnly: true, timeout: 5000 });
  try {
    const integrity = database.prepare('PRAGMA integrity_check').all();
    const foreign = database.prepare('PRAGMA foreign_key_check').all();
    return {
      integrity: foreign.length > 0 ? 'foreign keys' : String(integrity[0]?.integrity_check),
      halfWritten: Object.entries(HALF_WRITTEN).flatMap(([what, sql]) =>
        database
          .prepare(sql)
          .all()
          .map((row) => `${what}: ${row.subject_request_id}`),
      ),
      lost: findLost(database, ledger),
      wrongIdentities: findWrongIdentities(database, dataDir, controllerId, ledger),
    };
  } finally {
    database.close();
  }
}

function findLost(database: DatabaseSync, { created, cancelled, cancelSent }: Ledger): string[] {
  const select = database.prepare('SELECT status FROM requests WHERE subject_request_id = ?');
  return [...created.keys()].flatMap((id) => {
    const status = select.get(id)?.status;
    const allowed = cancelled.has(id)
      ? ['cancelled']
      : cancelSent.has(id)
        ? ['pending', 'cancelled']
        : ['pending'];
    return allowed.includes(String(status)) ? [] : [`${id} is ${status ?? 'gone'}`];
  });
}

function findWrongIdentities(
  database: DatabaseSync,
  dataDir: string,
  controllerId: string,
  { created }: Ledger,
): string[] {
  const keys = readMasterKeyFile(`${dataDir}/master.key`);
  const vault = createIdentityVault(createMasterKeyRing(keys));
  const rows = database
    .prepare(
      `SELECT subject_request_id AS id, master_key_id AS masterKeyId, wrapped_key AS wrappedKey, sealed
       FROM requests JOIN sealed_identities USING (request_no)`,
    )
    .all() as { id: string; masterKeyId: string; wrappedKey: Uint8Array; sealed: Uint8Array }[];
  return rows.flatMap(({ id, ...sealed }) => {
    const sent = created.get(id);
    // Stored, but killed before the answer: that is allowed, and its identities are not in the ledger.
    if (sent === undefined) return [];
    const key = { controllerId, subjectRequestId: id } as Parameters<typeof vault.open>[0];
    const values = vault.open(key, sealed).map((it) => it.reveal());
    return values.join() === sent.join() ? [] : [id];
  });
}
