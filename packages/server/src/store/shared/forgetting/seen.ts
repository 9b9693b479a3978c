import type { Seen } from '../../../domain/request/forgetting-ports.ts';
import { outcomeOf, type TaskOfRequest } from '../../../domain/request/outcome.ts';
import type { Evidence } from '../../../domain/task/task.ts';
import type { ControllerId } from '../../../domain/tenant/controller-id.ts';
import type { Sql } from '../../sql.ts';

interface SeenRow extends Omit<Seen, 'outcome'> {
  readonly requestNo: number;
}

interface TaskRow extends Omit<TaskOfRequest, 'evidence'> {
  readonly requestNo: number;
  readonly evidence: string | null;
}

/** Digests are written when a request starts, so a pending one is not found. */
export async function seen(
  sql: Sql,
  controllerId: ControllerId,
  digests: readonly Uint8Array[],
): Promise<Seen[]> {
  const requests = await sql.all<SeenRow>(
    `SELECT request_no AS "requestNo", subject_request_id AS "subjectRequestId", status,
            received_time AS "receivedTime", completed_time AS "completedTime"
     FROM @all_requests
     WHERE controller_id = :controllerId AND request_no IN (
       SELECT request_no FROM @identity_digests WHERE digest = ANY(:digests::bytea[]))
     ORDER BY request_no`,
    { controllerId, digests },
  );
  const tasks = await sql.all<TaskRow>(
    `SELECT request_no AS "requestNo", target, run, state, evidence FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[])`,
    { requestNos: requests.map(({ requestNo }) => requestNo) },
  );
  const ofRequest = Map.groupBy(tasks, ({ requestNo }) => requestNo);
  return requests.map(({ requestNo, ...request }) => ({
    ...request,
    outcome: outcomeOf(request.status, (ofRequest.get(requestNo) ?? []).map(taskOf)),
  }));
}

function taskOf({ target, run, state, evidence }: TaskRow): TaskOfRequest {
  const parsed = evidence === null ? null : (JSON.parse(evidence) as Evidence);
  return { target, run, state, evidence: parsed };
}
