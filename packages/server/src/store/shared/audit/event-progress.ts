// How far the receiver of events is in the audit log. One row, which is also the turn of the node that sends.
import type {
  EventOperator,
  EventProgress,
  EventStore,
} from '../../../domain/audit/event-ports.ts';
import type { Database, Sql } from '../../sql.ts';
import { isTime } from '../turn.ts';
import { appendAudit, auditOf } from './append-audit.ts';

const NEWEST = 'SELECT audit_no FROM @audit_rows ORDER BY audit_no DESC LIMIT 1';
const IS_TIME = isTime('next_time');

export function createEventStore(database: Database): EventStore {
  return {
    // Reads by key, because it runs every second.
    async due(now) {
      const row = await database.get(
        `SELECT 1 FROM (${NEWEST}) AS log LEFT JOIN @audit_receivers ON receiver = 'events'
         WHERE sent_no IS NULL OR audit_no <> sent_no AND ${IS_TIME}`,
        { now },
      );
      return row !== undefined;
    },
    take: (now, until) =>
      database.transaction(async (sql) => {
        const newestNo = await newest(sql);
        // A receiver that is new does not get the events of years.
        await add(sql, newestNo);
        const taken = await sql.get<{ sentNo: number }>(
          `UPDATE @audit_receivers SET next_time = :until
           WHERE receiver = 'events' AND ${IS_TIME} RETURNING sent_no AS "sentNo"`,
          { now, until },
        );
        return taken && { sentNo: Number(taken.sentNo), newestNo };
      }),
    async sent(from, to, isPosted, now) {
      await database.run(
        `UPDATE @audit_receivers
         SET sent_no = :to, next_time = 0${isPosted ? ', failures = 0, sent_time = :now' : ''}
         WHERE receiver = 'events' AND sent_no = :from`,
        { from, to, ...(isPosted && { now }) },
      );
    },
    failed: (reason, now, retryTime) =>
      database.transaction(async (sql) => {
        const row = await sql.get<{ failures: number }>(
          `UPDATE @audit_receivers
           SET failures = failures + 1, failure = :reason, failed_time = :now
           WHERE receiver = 'events' RETURNING failures`,
          { reason, now },
        );
        const failures = row?.failures ?? 1;
        await sql.run(`UPDATE @audit_receivers SET next_time = :time WHERE receiver = 'events'`, {
          time: retryTime(failures),
        });
        return failures;
      }),
  };
}

export function createEventOperator(writer: Database, reader: Database = writer): EventOperator {
  return {
    progress: () =>
      reader.get<EventProgress>(
        `SELECT sent_no AS "sentNo", coalesce((${NEWEST}), 0) AS "newestNo",
                sent_time AS "sentTime", failures, failure, failed_time AS "failedTime",
                next_time AS "nextTime"
         FROM @audit_receivers WHERE receiver = 'events'`,
      ),
    sendAfter: (auditNo, by) =>
      writer.transaction(async (sql) => {
        await add(sql, auditNo);
        await sql.run(
          `UPDATE @audit_receivers SET sent_no = :auditNo, next_time = 0 WHERE receiver = 'events'`,
          { auditNo },
        );
        await appendAudit(sql, [auditOf('events.sent_again', by, { after: auditNo })]);
      }),
  };
}

async function newest(sql: Sql): Promise<number> {
  return Number((await sql.get<{ audit_no: number }>(NEWEST))?.audit_no ?? 0);
}

async function add(sql: Sql, sentNo: number): Promise<void> {
  await sql.run(
    `INSERT INTO @audit_receivers (receiver, sent_no) VALUES ('events', :sentNo)
     ON CONFLICT DO NOTHING`,
    { sentNo },
  );
}
