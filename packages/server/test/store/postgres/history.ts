// Years of requests, put into a store at once: most of them archived, some open, as it is in practice.
import type { Database } from '../../../src/store/postgres/database.ts';
import { macOfRow } from '../../helpers/stores/row-macs.ts';

export interface History {
  readonly archived: number;
  readonly completed: number;
  /** Completed too, with their identities still sealed. */
  readonly lately: number;
  readonly pending: number;
  readonly inProgress: number;
}

const DAY = 86_400_000;
const EVIDENCE = JSON.stringify({
  action: 'erased',
  connector: 'postgres',
  tables: { customers: { action: 'delete', rows: 1 } },
  verified: 'requeried',
  attempts: 1,
  started_time: '2026-01-01T00:00:00.000Z',
  finished_time: '2026-01-01T00:00:01.000Z',
});

/** The request with this number, whatever became of it. */
export const idOf = (requestNo: number) => idText(String(requestNo));
const idText = (no: string) => `00000000-0000-4000-8000-${no.padStart(12, '0')}`;
const ID = `'00000000-0000-4000-8000-' || lpad(no::text, 12, '0')`;

export async function writeHistory(
  database: Database,
  { archived, completed, lately, pending, inProgress }: History,
  now: number,
): Promise<void> {
  const columns = `request_no, controller_id, subject_request_id, request_uuid, status, regulation,
    submitted_time, received_time, created_by, identity_count, started_time, completed_time, plan_id,
    receipted_time, shredded_time`;
  const rows = (status: string, received: string, rest: string) => `
    SELECT no, 'acme', ${ID}, (${ID})::uuid, '${status}', 'gdpr', '2026-01-01T00:00:00Z',
           ${received}, 'client:one', 1, ${rest}
    FROM generate_series($1::bigint, $2::bigint) AS no`;
  let last = 0;
  const insert = async (table: string, count: number, select: string) => {
    await database.run(`INSERT INTO @${table} (${columns}) ${select}`, [last + 1, last + count]);
    last += count;
  };
  const done = (days: number, shredded = true) => {
    const received = `${now - days * DAY} + no * 10`;
    return rows(
      'completed',
      received,
      [2, 3].map((hours) => `${received} + ${hours} * 3600000`).join(', ') +
        `, 'shop', ${received} + 4 * 3600000, ${shredded ? `${received} + 5 * 3600000` : 'NULL'}`,
    );
  };
  const none = (count: number) => Array(count).fill('NULL').join(', ');
  await insert('archived_requests', archived, done(400));
  await insert('requests', completed, done(60));
  await insert('requests', lately, done(20, false));
  const started = `${now - 2 * DAY} + no`;
  const rest = `${started} + 1, NULL::bigint, 'shop', NULL::bigint, NULL::bigint`;
  await insert('requests', inProgress, rows('in_progress', started, rest));
  await insert('requests', pending, rows('pending', `${now - DAY / 2} + no`, none(5)));
  const final = archived + completed + lately;
  await database.run(
    `INSERT INTO @tasks (request_no, target, run, connector, phase, state, changed_time, evidence)
     SELECT no, 'shop', 1, 'postgres', 'erase', 'erased', $2, $3
     FROM generate_series(1, $1::bigint) AS no`,
    [final, now - DAY, EVIDENCE],
  );
  await database.run(
    `INSERT INTO @tasks (request_no, target, run, connector, phase, state, due_time, changed_time)
     SELECT no, 'shop', 1, 'postgres', 'erase', 'waiting', $3, $3
     FROM generate_series($1::bigint, $2::bigint) AS no`,
    [final + 1, final + inProgress, now - 1000],
  );
  await database.run(
    `INSERT INTO @sealed_identities (request_no, master_key_id, wrapped_key, sealed)
     SELECT no, 'key', '\\x00', '\\x00' FROM generate_series($1::bigint, $2::bigint) AS no`,
    [archived + completed + 1, last],
  );
  await database.run(
    `INSERT INTO @identity_digests (digest, request_no)
     SELECT sha256(no::text::bytea), no FROM generate_series(1, $1::bigint) AS no`,
    [final + inProgress],
  );
  await database.run(
    `INSERT INTO @receipts (request_no, receipt_no, last_task_no, created_time, document, full_document)
     SELECT no, 1, no, $2, '{}', '{}' FROM generate_series(1, $1::bigint) AS no`,
    [final, now - DAY],
  );
  await database.run(
    `INSERT INTO @plans (plan_id, targets, created_time) VALUES ('shop', '[]', $1)`,
    [now - 400 * DAY],
  );
  const actions = ['request.created', 'request.started', 'task.erased'];
  for (const [place, action] of actions.entries()) {
    await database.run(
      `INSERT INTO @audit_rows
         (audit_no, time, actor, action, controller_id, subject_request_id, request_no)
       SELECT (no - 1) * ${actions.length} + $2::bigint, $3, 'system', $4, 'acme', ${ID}, no
       FROM generate_series(1, $1::bigint) AS no`,
      [final, place + 1, now - DAY, action],
    );
  }
  await database.run(
    `INSERT INTO @audit_heads (head_no, first_audit_no, last_audit_no, time, previous_hash, rows_hash,
                               hash, key_id, signature, tree_first)
     SELECT no, (no - 1) * 1000 + 1, least(no * 1000, $1::bigint), $2, '\\x00', '\\x00', '\\x00', 'key',
            '\\x00', 1
     FROM generate_series(1, ($1::bigint + 999) / 1000) AS no`,
    [final * actions.length, now - DAY],
  );
  await authenticateOpen(database, final);
  await database.run(`SELECT setval(pg_get_serial_sequence('@requests', 'request_no'), $1)`, [
    last,
  ]);
  await database.run(
    `UPDATE @alarm_progress SET seen_received = $1, seen_request_no = $2, looked_time = $3`,
    [now - 10 * DAY, last - pending, now - DAY],
  );
  // As autovacuum would.
  for (const table of TABLES) await database.run(`ANALYZE @${table}`);
}

/** What is open is worked on only where it is as the log says. */
async function authenticateOpen(database: Database, final: number): Promise<void> {
  const open = await database.all<Record<string, unknown>>(
    'SELECT * FROM @requests WHERE request_no > $1 ORDER BY request_no',
    [final],
  );
  for (const request of open) {
    const { request_no: no, controller_id, subject_request_id } = request;
    const { created_mac } = macOfRow('requests', request);
    await database.run('UPDATE @requests SET created_mac = $2 WHERE request_no = $1', [
      no as number,
      created_mac as Uint8Array,
    ]);
    if (request.status !== 'in_progress') continue;
    const row = {
      time: request.started_time,
      actor: 'system',
      action: 'request.started',
      controller_id,
      subject_request_id,
      detail: '{"targets":["shop"]}',
      request_no: no,
    };
    const { mac } = macOfRow('audit_rows', row);
    await database.run(
      `INSERT INTO @new_audit_rows
         (time, actor, action, controller_id, subject_request_id, detail, request_no, mac)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [...Object.values(row), mac] as never,
    );
  }
}

const TABLES = [
  'requests',
  'archived_requests',
  'tasks',
  'sealed_identities',
  'identity_digests',
  'receipts',
  'plans',
  'audit_rows',
  'audit_heads',
  'batches',
  'intents',
  'added_identities',
  'new_audit_rows',
  'daily_counts',
  'watched_requests',
  'alarms',
];
