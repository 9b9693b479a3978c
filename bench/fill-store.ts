// A store that has served for long: most of its requests are archived, some are open.
import { type Database, openDatabase } from '../packages/server/src/store/postgres/database.ts';
import { migrate } from '../packages/server/src/store/postgres/migrate.ts';

const OPEN_SHARE = 0.05;
const CHUNK = 250_000;
const LONG_AGO_MS = 180 * 86_400_000;

const ID = 'SELECT n, gen_random_uuid() AS id FROM generate_series($1::bigint, $2::bigint) AS n';
const REQUEST = `request_no, controller_id, subject_request_id, request_uuid, regulation,
  submitted_time, created_by, identity_count`;
const VALUES = `n, 'acme', id::text, id, 'gdpr', '2026-11-15T02:00:00Z', 'client:bench', 1`;

const ARCHIVED = `
  WITH made AS (${ID}), audited AS (
    INSERT INTO @audit_rows
      (audit_no, time, actor, action, controller_id, subject_request_id, request_no)
    SELECT n, $3::bigint, 'client:bench', 'request.created', 'acme', id::text, n FROM made)
  INSERT INTO @archived_requests
    (${REQUEST}, status, received_time, started_time, completed_time, receipted_time, shredded_time)
  SELECT ${VALUES}, 'completed', $3::bigint, $3::bigint, $3::bigint, $3::bigint, $3::bigint
  FROM made`;

const OPEN = `
  WITH made AS (${ID}), audited AS (
    INSERT INTO @audit_rows
      (audit_no, time, actor, action, controller_id, subject_request_id, request_no)
    SELECT n, $3::bigint, 'client:bench', 'request.created', 'acme', id::text, n FROM made
  ), sealed AS (
    INSERT INTO @sealed_identities (request_no, master_key_id, wrapped_key, sealed)
    SELECT n, 'bench', sha256(id::text::bytea), sha512(id::text::bytea) FROM made)
  INSERT INTO @requests (${REQUEST}, status, received_time)
  SELECT ${VALUES}, 'pending', $3::bigint FROM made`;

// So that what was filled in is not sealed: the chain is not looked at here.
const HEAD = `
  INSERT INTO @audit_heads
    (head_no, first_audit_no, last_audit_no, time, previous_hash, rows_hash, hash, key_id, signature, tree_first)
  VALUES (1, 1, $1, $2, '', '', '', '', '', 1)`;

/** Makes the schema, too. */
export function fillStore(url: string, schema: string, requests: number): Promise<void> {
  return withStore(url, schema, async (database) => {
    await migrate(database);
    if (requests === 0) return;
    const now = Date.now();
    const archived = Math.round(requests * (1 - OPEN_SHARE));
    for (let first = 1; first <= requests; first += CHUNK) {
      const last = Math.min(first + CHUNK - 1, requests);
      if (first <= archived) {
        await database.run(ARCHIVED, [first, Math.min(last, archived), now - LONG_AGO_MS]);
      }
      if (last > archived) await database.run(OPEN, [Math.max(first, archived + 1), last, now]);
    }
    await database.run(HEAD, [requests, now]);
    await database.run(`SELECT setval('@requests_request_no_seq', $1::bigint)`, [requests]);
    await database.run('VACUUM ANALYZE');
    await database.run('CHECKPOINT');
  });
}

/** Half of them archived, where so many are. */
export function storedIds(url: string, schema: string, max: number): Promise<string[]> {
  return withStore(url, schema, async (database) => {
    const rows = await database.all<{ id: string }>(
      `(SELECT subject_request_id AS id FROM @archived_requests LIMIT $1::int / 2)
       UNION ALL (SELECT subject_request_id FROM @requests LIMIT $1::int)
       LIMIT $1::int`,
      [max],
    );
    return rows.map(({ id }) => id);
  });
}

async function withStore<T>(
  url: string,
  schema: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const name = 'unwrite bench';
  const options = { url, schema, name, poolSize: 2, statementTimeout: null, prepare: true };
  const database = openDatabase(options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
