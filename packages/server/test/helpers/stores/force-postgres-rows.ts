// Tasks and requests made to look as no step of ours would leave them, many at a time: one by one, thousands take
// longer than all other tests of a store.
import type { Database } from '../../../src/store/postgres/database.ts';
import type { FulfilmentUnderTest } from '../../contract/fulfilment/under-test.ts';
import { macOfRow } from './row-macs.ts';

const GIVEN_TASKS = `json_to_recordset($1::json) AS given ("taskNo" bigint, "batchNo" bigint,
  state text, phase text, "dueTime" bigint, "changedTime" bigint, "leaseUntil" bigint)`;
const GIVEN_KEYS = `json_to_recordset($1::json) AS given ("controllerId" text, "subjectRequestId" uuid)`;
const GIVEN_REQUESTS = `json_to_recordset($1::json) AS given ("requestNo" bigint, status text,
  "receivedTime" bigint, mac text)`;

export function forcePostgresRows(
  database: Database,
): Pick<FulfilmentUnderTest, 'forceTasks' | 'forceRequests'> {
  return {
    async forceTasks(tasks) {
      const numbered = tasks.map((task) => ({ ...task, batchNo: 1_000_000 + task.taskNo }));
      const given = [JSON.stringify(numbered)];
      await database.transaction(async (sql) => {
        await sql.run(
          `DELETE FROM @batches WHERE batch_no IN (SELECT "batchNo" FROM ${GIVEN_TASKS})`,
          given,
        );
        await sql.run(
          `INSERT INTO @batches (batch_no, target, phase, attempt, worker, leased_time, lease_until)
           SELECT "batchNo", target, given.phase, 1, 'w', "changedTime", "leaseUntil"
           FROM ${GIVEN_TASKS} JOIN @tasks AS tasks ON task_no = "taskNo"
           WHERE "leaseUntil" IS NOT NULL`,
          given,
        );
        await sql.run(
          `UPDATE @tasks AS tasks
           SET state = given.state, phase = given.phase, due_time = "dueTime",
             changed_time = "changedTime",
             batch_no = CASE given.state WHEN 'running' THEN "batchNo" END
           FROM ${GIVEN_TASKS} WHERE task_no = "taskNo"`,
          given,
        );
      });
    },
    async forceRequests(requests) {
      const rows = await database.all<Readonly<Record<string, unknown>>>(
        `SELECT requests.* FROM ${GIVEN_KEYS} JOIN @requests AS requests
           ON request_uuid = "subjectRequestId" AND controller_id = "controllerId"`,
        [
          JSON.stringify(
            requests.map(({ key: { controllerId, subjectRequestId } }) => ({
              controllerId,
              subjectRequestId,
            })),
          ),
        ],
      );
      const byKey = new Map(
        rows.map((row) => [`${row.controller_id} ${row.subject_request_id}`, row]),
      );
      const changes = requests.map(({ key, status, receivedTime }) => {
        const row: Readonly<Record<string, unknown>> = {
          ...byKey.get(`${key.controllerId} ${key.subjectRequestId}`),
          received_time: receivedTime,
        };
        const mac = Buffer.from(macOfRow('requests', row).created_mac ?? []).toString('hex');
        return { requestNo: row.request_no, status, receivedTime, mac };
      });
      await database.run(
        `UPDATE @requests AS requests
         SET status = given.status, received_time = "receivedTime",
           created_mac = decode(given.mac, 'hex')
         FROM ${GIVEN_REQUESTS} WHERE request_no = "requestNo"`,
        [JSON.stringify(changes)],
      );
    },
  };
}
