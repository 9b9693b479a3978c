import type { IdentityLookup, Seen } from '../../../domain/request/forgetting-ports.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import type { ControllerId } from '../../../domain/tenant/controller-id.ts';
import { hex, type Sql } from '../../sql.ts';
import { readOutcomes } from '../requests/request-outcomes.ts';

interface SeenRow extends Omit<Seen, 'outcome'> {
  readonly requestNo: number;
}

/** Digests are written when a request starts, so a pending request is not found. */
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

/** A digest made for one controller does not find requests of another. */
export async function named(sql: Sql, lookups: readonly IdentityLookup[]): Promise<RequestKey[]> {
  const controllerOf = new Map(
    lookups.flatMap(({ controllerId, digests }) =>
      digests.map((digest) => [hex(digest), controllerId] as const),
    ),
  );
  const rows = await sql.all<{ readonly digest: Uint8Array; readonly requestNo: number }>(
    `SELECT digest, request_no AS "requestNo" FROM @identity_digests
     WHERE digest = ANY(:digests::bytea[])`,
    { digests: lookups.flatMap(({ digests }) => digests) },
  );
  if (rows.length === 0) return [];
  const requests = await sql.all<RequestKey & { readonly requestNo: number }>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId"
     FROM @all_requests WHERE request_no = ANY(:requestNos::bigint[])`,
    { requestNos: rows.map(({ requestNo }) => requestNo) },
  );
  const meant = new Map<number, Set<ControllerId | undefined>>();
  for (const { digest, requestNo } of rows) {
    const own = meant.get(requestNo) ?? new Set();
    meant.set(requestNo, own.add(controllerOf.get(hex(digest))));
  }
  return requests
    .filter(({ requestNo, controllerId }) => meant.get(requestNo)?.has(controllerId))
    .map(({ controllerId, subjectRequestId }) => ({ controllerId, subjectRequestId }));
}
