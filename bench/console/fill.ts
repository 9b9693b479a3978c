// A store that has served for a year and more, written by SQL in some minutes: requests of many controllers in every
// status, their tasks at three targets, evidence, receipts, audit rows, alarms and what the chores have counted. Sealed
// identities and signatures are noise of the right size: no worker runs on it.
import type { Database } from '../../packages/server/src/store/sql.ts';

const NUMBERED = 80;
/** They must be there: each is authenticated. */
export const CONTROLLERS = [
  'acme',
  'rare',
  ...Array.from({ length: NUMBERED }, (_, at) => `controller-${at}`),
];

export interface Fill {
  readonly requests: number;
  /** The share that is pending or in progress; of those, a third is in progress. */
  readonly open: number;
  readonly now: number;
}

const DAY = 86_400_000;
/** One request in so many is of a controller that has few. */
const RARE_EVERY = 5000;
const ALARMS = 50_000;
const CHUNK = 100_000;
/** In days before now: the first request, and the first of those that are open. */
const OLDEST = 400;
const OPEN_SINCE = 20;
const ARCHIVED_AFTER = 42;

/** SQL that differs between the databases. */
interface Dialect {
  readonly uuid: string;
  bytes(count: number): string;
  series(from: number, to: number): string;
}

const SQLITE: Dialect = {
  uuid: `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
    || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`,
  bytes: (count) => `randomblob(${count})`,
  series: (from, to) => `(WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n
    WHERE i < ${to}) SELECT i FROM n) AS n`,
};

const POSTGRES: Dialect = {
  uuid: 'gen_random_uuid()::text',
  // 32 bytes at a time.
  bytes: (count) =>
    `substr(${Array.from({ length: Math.ceil(count / 32) }, () => 'sha256((random()::text || i)::bytea)').join(' || ')}, 1, ${count})`,
  series: (from, to) => `generate_series(${from}::bigint, ${to}::bigint) AS n (i)`,
};

export async function fillStore(
  database: Database,
  fill: Fill,
  say: (what: string) => void,
): Promise<void> {
  const isPostgres = database.dialect.requestTables.length > 1;
  const dialect = isPostgres ? POSTGRES : SQLITE;
  const run = (text: string) => database.run(text);
  await run(`INSERT INTO @plans VALUES ('plan', '${PLAN}', ${fill.now})`);
  for (let from = 1; from <= fill.requests; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, fill.requests);
    await database.transaction(async (sql) => {
      for (const text of chunk(fill, dialect, isPostgres, from, to)) await sql.run(text);
    });
    say(`${to.toLocaleString('en')} requests`);
  }
  for (const text of rest(fill, dialect)) await run(text);
  if (isPostgres) {
    for (const table of ['requests', 'tasks']) {
      const column = `${table.slice(0, -1)}_no`;
      await run(`SELECT setval('@${table}_${column}_seq', (SELECT max(${column}) FROM @${table}))`);
    }
    await run('VACUUM ANALYZE');
  }
}

const TASKS_EACH = 3;
const AUDIT_EACH = 5;
/** Behind the rows of what was set up. */
const FIRST_AUDIT = 1000;
const HEAD_EVERY = 200;
const PLAN = JSON.stringify(
  ['shop', 'crm', 'paper'].map((target) => ({ target, connector: 'http', digest: 'd'.repeat(32) })),
);
const EVIDENCE = JSON.stringify({
  action: 'erased',
  connector: 'postgres',
  configuration: 'd'.repeat(32),
  tables: {
    orders: { action: 'delete', rows: 3 },
    invoices: { action: 'retain', rows: 1, reason: 'tax law, ten years' },
    customers: { action: 'delete', rows: 1 },
  },
  verified: 'requeried',
  attempts: 1,
  started_time: '2026-01-01T00:00:00.000Z',
  finished_time: '2026-01-01T00:00:01.000Z',
});
const RECEIPT = JSON.stringify({
  version: 1,
  targets: [EVIDENCE, EVIDENCE],
  signature: 's'.repeat(88),
});

function controllerOf(i: string): string {
  return `CASE WHEN ${i} % ${RARE_EVERY} = 0 THEN 'rare' WHEN ${i} % 10 < 6 THEN 'acme'
    ELSE 'controller-' || ((${i} * 7919) % ${NUMBERED}) END`;
}

function chunk(
  { requests, open, now }: Fill,
  dialect: Dialect,
  isPostgres: boolean,
  from: number,
  to: number,
): string[] {
  const firstOpen = Math.floor(requests * (1 - open)) + 1;
  const firstPending = firstOpen + Math.floor((requests * open) / 3);
  const closedMs = Math.floor(((OLDEST - OPEN_SINCE) * DAY) / Math.max(1, firstOpen));
  const openMs = Math.floor((OPEN_SINCE * DAY) / Math.max(1, requests - firstOpen + 1));
  const isCancelled = `(i % 50 = 0 AND i < ${firstOpen})`;
  const status = `CASE WHEN i >= ${firstPending} THEN 'pending' WHEN i >= ${firstOpen} THEN 'in_progress'
    WHEN ${isCancelled} THEN 'cancelled' ELSE 'completed' END`;
  const received = `CASE WHEN i >= ${firstOpen} THEN ${now - OPEN_SINCE * DAY} + (i - ${firstOpen}) * ${openMs}
    ELSE ${now - OLDEST * DAY} + i * ${closedMs} END`;
  const columns = `request_no, controller_id, subject_request_id, ${isPostgres ? 'request_uuid, ' : ''}
    status, regulation, submitted_time, received_time, created_by, cancelled_time, identity_count,
    started_time, completed_time, plan_id, receipted_time, shredded_time, created_mac`;
  const made = `SELECT i, ${dialect.uuid} AS id, ${status} AS status, ${received} AS received,
    ${controllerOf('i')} AS controller, ${dialect.bytes(32)} AS mac FROM ${dialect.series(from, to)}`;
  const request = (table: string, where: string) => `INSERT INTO ${table} (${columns})
    SELECT i, controller, id, ${isPostgres ? 'id::uuid, ' : ''} status,
      CASE WHEN i % 20 = 0 THEN 'ccpa' ELSE 'gdpr' END, '2026-01-01T00:00:00Z', received,
      'client:console-bench', CASE WHEN status = 'cancelled' THEN received + 3600000 END, 1,
      CASE WHEN status IN ('completed', 'in_progress') THEN received + ${14 * DAY} END,
      CASE WHEN status = 'completed' THEN received + ${15 * DAY} + (i % 1000) * 60000 END,
      CASE WHEN status IN ('completed', 'in_progress') THEN 'plan' END,
      CASE WHEN status = 'completed' THEN received + ${16 * DAY} END,
      CASE WHEN status IN ('completed', 'cancelled') THEN received + ${16 * DAY} END, mac
    FROM (${made}) AS made WHERE ${where}`;
  const archivedUntil = Math.floor(
    Math.min(firstOpen - 1, ((OLDEST - ARCHIVED_AFTER - 16) * DAY) / closedMs),
  );
  const rows = `FROM @all_requests WHERE request_no BETWEEN ${from} AND ${to}`;
  const wasStarted = "status IN ('completed', 'in_progress')";
  return [
    ...(isPostgres
      ? [
          ...(from <= archivedUntil
            ? [request('@archived_requests', `i <= ${archivedUntil}`)]
            : []),
          ...(to > archivedUntil ? [request('@requests', `i > ${archivedUntil}`)] : []),
        ]
      : [request('@requests', 'true')]),
    ...['shop', 'crm', 'paper'].map((target, at) => task(target, at, rows, now)),
    `INSERT INTO @sealed_identities (request_no, master_key_id, wrapped_key, sealed)
     SELECT i, (SELECT min(master_key_id) FROM @master_keys), ${dialect.bytes(48)}, ${dialect.bytes(160)}
     FROM (SELECT request_no AS i ${rows} AND status IN ('pending', 'in_progress')) AS open`,
    `INSERT INTO @intents (task_no, counts, retained, first_time, master_key_id, wrapped_key, sealed)
     SELECT i, '{"orders":3,"customers":1}', '{}', ${now}, (SELECT min(master_key_id) FROM @master_keys),
       ${dialect.bytes(48)}, ${dialect.bytes(160)}
     FROM (SELECT task_no AS i FROM @tasks WHERE request_no BETWEEN ${from} AND ${to}
       AND state IN ('held', 'failed')) AS stuck`,
    `INSERT INTO @identity_digests (digest, request_no)
     SELECT ${dialect.bytes(36)}, i FROM (SELECT request_no AS i ${rows} AND ${wasStarted}) AS started`,
    `INSERT INTO @receipts (request_no, receipt_no, last_task_no, created_time, document,
       full_document)
     SELECT request_no, 1, request_no * ${TASKS_EACH} + 2, completed_time, '${RECEIPT}', '${RECEIPT}'
     ${rows} AND status = 'completed'`,
    ...audit(rows, dialect, wasStarted),
  ];
}

/** Some tasks of requests in progress are stuck, in different ways; the second target is down. */
function task(target: string, at: number, rows: string, now: number): string {
  const state = {
    shop: `CASE WHEN n % 100 = 1 THEN 'held' WHEN n % 100 = 2 THEN 'failed' ELSE 'waiting' END`,
    crm: `CASE WHEN n % 5 = 0 THEN 'waiting' ELSE 'erased' END`,
    paper: `'held'`,
  }[target];
  return `INSERT INTO @tasks (task_no, request_no, target, run, connector, phase, state, due_time, attempts,
      reason, detail, previewed_rows, changed_time, evidence, owner_id)
    SELECT n * ${TASKS_EACH} + ${at}, n, '${target}', 1, '${target === 'paper' ? 'manual' : 'http'}', 'erase', state,
      CASE WHEN state IN ('waiting', 'failed') THEN ${now} + 60000 END, 1,
      CASE WHEN state = 'held' THEN '${target === 'paper' ? 'manual' : 'over_cap'}'
           WHEN state = 'failed' THEN 'blocked' END,
      CASE WHEN state IN ('held', 'failed') THEN 'a sentence about what is wrong with it' END,
      CASE WHEN state = 'held' THEN 4 END, time,
      CASE WHEN state = 'erased' THEN '${EVIDENCE}' END, owner
    FROM (SELECT request_no AS n, controller_id AS owner, started_time AS time,
        CASE WHEN status = 'completed' THEN 'erased' ELSE ${state?.replaceAll('n %', 'request_no %')} END AS state
      ${rows} AND status IN ('completed', 'in_progress')
        ${target === 'paper' ? 'AND request_no % 10 = 0' : ''}) AS made`;
}

function audit(rows: string, dialect: Dialect, wasStarted: string): string[] {
  const row = (at: number, action: string, time: string, actor: string, where: string) =>
    `INSERT INTO @audit_rows
       (audit_no, time, actor, action, controller_id, subject_request_id, detail, request_no, mac)
     SELECT (i + ${FIRST_AUDIT}) * ${AUDIT_EACH} + ${at}, time, ${actor}, '${action}', controller_id, subject_request_id,
       '{"target":"shop","rows":4}', i, ${dialect.bytes(32)}
     FROM (SELECT request_no AS i, controller_id, subject_request_id, ${time} AS time ${rows} AND ${where}) AS made`;
  return [
    row(0, 'request.created', 'received_time', "'client:console-bench'", 'true'),
    row(
      1,
      'request.started',
      'started_time',
      "CASE WHEN i % 997 = 0 THEN 'operator:olga' ELSE 'system' END",
      wasStarted,
    ),
    row(2, 'task.erased', 'started_time', "'system'", wasStarted),
    row(3, 'request.completed', 'completed_time', "'system'", "status = 'completed'"),
    row(4, 'request.cancelled', 'cancelled_time', "'client:console-bench'", "status = 'cancelled'"),
  ];
}

function rest({ now }: Fill, dialect: Dialect): string[] {
  const counted = (what: string, time: string) =>
    `INSERT INTO @daily_counts (day, what, whose, count)
     SELECT ${time} / ${DAY}, '${what}', controller_id, count(*) FROM @all_requests
     WHERE ${time} IS NOT NULL GROUP BY 1, controller_id`;
  return [
    counted('starts', 'started_time'),
    counted('completed', 'completed_time'),
    counted('cancelled', 'cancelled_time'),
    ...['tasks', 'rows'].map(
      (what) => `INSERT INTO @daily_counts (day, what, whose, count)
        SELECT day, '${what}', target, count FROM (SELECT day, sum(count) AS count FROM @daily_counts
          WHERE what = 'completed' GROUP BY day) AS days, (SELECT 'shop' AS target UNION ALL SELECT 'crm') AS targets`,
    ),
    `INSERT INTO @daily_counts (day, what, whose, count)
     SELECT -1, what, whose, sum(count) FROM @daily_counts GROUP BY what, whose`,
    `INSERT INTO @watched_requests (request_no, next_time)
     SELECT request_no, received_time + ${23 * DAY} FROM @requests WHERE status = 'in_progress'`,
    `INSERT INTO @circuits VALUES ('crm', 'connection_refused', 'the target refuses connections', 9,
       ${now - 3_600_000}, ${now + 60_000})`,
    `INSERT INTO @audit_heads
       (head_no, first_audit_no, last_audit_no, time, previous_hash, rows_hash, hash, key_id, signature,
        tree_first)
     SELECT i / ${HEAD_EVERY}, i, i, time, ${dialect.bytes(32)}, ${dialect.bytes(32)}, ${dialect.bytes(32)}, 'bench',
       ${dialect.bytes(64)}, 1
     FROM (SELECT audit_no AS i, time FROM @audit_rows WHERE audit_no % ${HEAD_EVERY} = 0) AS last`,
    // Old ones, of requests and of a target, and few of today.
    `INSERT INTO @alarms (alarm_no, kind, subject, percent, request_no, controller_id, target, message,
       raised_time, delivered_time)
     SELECT i, CASE WHEN i % 5 = 0 THEN 'target_down' ELSE 'expected_deadline' END, 'bench ' || i, 0,
       CASE WHEN i % 5 = 0 THEN NULL ELSE i END, 'acme', CASE WHEN i % 5 = 0 THEN 'shop' END,
       'a sentence about what is wrong', ${now - OLDEST * DAY} + i * ${Math.floor((OLDEST * DAY) / ALARMS)}, ${now}
     FROM ${dialect.series(1, ALARMS)}`,
    `INSERT INTO @alarms (alarm_no, kind, subject, percent, target, message, raised_time, delivered_time)
     VALUES (${ALARMS + 1}, 'target_down', 'bench', 0, 'crm', 'the target is down', ${now - 3_600_000}, ${now})`,
  ];
}
