import type { Seen } from '../../../domain/request/forgetting-ports.ts';
import type { ControllerId } from '../../../domain/tenant/controller-id.ts';
import type { Sql } from '../../sql.ts';
import { readOutcomes } from '../requests/request-outcomes.ts';

interface SeenRow extends Omit<Seen, 'outcome'> {
  readonly requestNo: number;
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
  const outcomes = await readOutcomes(sql, controllerId, requests);
  return requests.map(({ requestNo, ...request }) => ({
    ...request,
    outcome: outcomes.get(requestNo) ?? 'still open',
  }));
}
