import type { WitnessStore } from '../../../domain/audit/witness-ports.ts';
import { LATEST_RETRY_MS } from '../../../domain/webhook-retry.ts';
import type { Database } from '../../sql.ts';

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
           AND (coalesce(next_time, 0) <= :now OR next_time > :now + ${LATEST_RETRY_MS})`,
        { now },
      );
      return row !== undefined;
    },
    lastTold: async () => (await state())?.headNo ?? 0,
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
