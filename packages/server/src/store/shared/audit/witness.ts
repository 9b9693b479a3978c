import type { WitnessStore } from '../../../domain/audit/witness-ports.ts';
import type { Database } from '../../sql.ts';
import { isTime } from '../turn.ts';

interface State {
  readonly headNo: number;
  readonly failures: number;
}

export function createWitnessStore(database: Database): WitnessStore {
  const state = () =>
    database.get<State>(
      `SELECT sent_no AS "headNo", failures FROM @audit_receivers WHERE receiver = 'witness'`,
    );
  const write = (headNo: number, failures: number, nextTime: number) =>
    database.run(
      `INSERT INTO @audit_receivers (receiver, sent_no, failures, next_time)
       VALUES ('witness', :headNo, :failures, :nextTime)
       ON CONFLICT (receiver) DO UPDATE SET sent_no = excluded.sent_no,
         failures = excluded.failures, next_time = excluded.next_time`,
      { headNo, failures, nextTime },
    );
  return {
    // Reads by key, because it runs every second. A larger number than the newest is not ours: the witness is told again.
    async due(now) {
      const row = await database.get(
        `SELECT 1 FROM (SELECT head_no AS newest FROM @audit_heads ORDER BY head_no DESC LIMIT 1) AS heads
         LEFT JOIN @audit_receivers ON receiver = 'witness'
         WHERE newest <> coalesce(sent_no, 0)
           AND (next_time IS NULL OR ${isTime('next_time')})`,
        { now },
      );
      return row !== undefined;
    },
    async take(now, until) {
      const taken = await database.get<Pick<State, 'headNo'>>(
        `INSERT INTO @audit_receivers AS kept (receiver, sent_no, next_time)
         VALUES ('witness', 0, :until)
         ON CONFLICT (receiver) DO UPDATE SET next_time = excluded.next_time
         WHERE ${isTime('kept.next_time')} RETURNING sent_no AS "headNo"`,
        { now, until },
      );
      return taken && Number(taken.headNo);
    },
    async told(headNo) {
      await write(headNo, 0, 0);
    },
    async failed(retryTime) {
      const before = await state();
      const failures = (before?.failures ?? 0) + 1;
      await write(before?.headNo ?? 0, failures, retryTime(failures));
      return failures;
    },
  };
}
