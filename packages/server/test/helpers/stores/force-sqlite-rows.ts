// Tasks and requests made to look as no step of ours would leave them, many at a time.
import type { DatabaseSync } from 'node:sqlite';
import type { FulfilmentUnderTest } from '../../contract/fulfilment/under-test.ts';
import { macOfRow } from './row-macs.ts';

export function forceSqliteRows(
  database: DatabaseSync,
): Pick<FulfilmentUnderTest, 'forceTasks' | 'forceRequests'> {
  function inTransaction(change: () => void): void {
    database.exec('BEGIN IMMEDIATE');
    change();
    database.exec('COMMIT');
  }

  return {
    async forceTasks(tasks) {
      const removeBatch = database.prepare('DELETE FROM batches WHERE batch_no = ?');
      const addBatch = database.prepare(
        `INSERT INTO batches (batch_no, target, phase, attempt, worker, leased_time, lease_until)
         SELECT ?, target, ?, 1, 'w', ?, ? FROM tasks WHERE task_no = ?`,
      );
      const change = database.prepare(
        `UPDATE tasks SET state = ?, phase = ?, due_time = ?, changed_time = ?, batch_no = ?
         WHERE task_no = ?`,
      );
      inTransaction(() => {
        for (const { taskNo, state, phase, dueTime, changedTime, leaseUntil } of tasks) {
          const batchNo = 1_000_000 + taskNo;
          removeBatch.run(batchNo);
          if (leaseUntil !== undefined)
            addBatch.run(batchNo, phase, changedTime, leaseUntil, taskNo);
          const inBatch = state === 'running' ? batchNo : null;
          change.run(state, phase, dueTime, changedTime, inBatch, taskNo);
        }
      });
    },
    async forceRequests(requests) {
      const find = database.prepare(
        'SELECT * FROM requests WHERE controller_id = ? AND subject_request_id = ?',
      );
      const change = database.prepare(
        'UPDATE requests SET status = ?, received_time = ?, created_mac = ? WHERE request_no = ?',
      );
      inTransaction(() => {
        for (const { key, status, receivedTime } of requests) {
          const row = find.get(key.controllerId, key.subjectRequestId) ?? {};
          const mac = macOfRow('requests', { ...row, received_time: receivedTime }).created_mac;
          change.run(status, receivedTime, mac ?? null, Number(row.request_no));
        }
      });
    },
  };
}
