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
  people: readonly (readonly Uint8Array[])[],
): Promise<Seen[][]> {
  const marks = await readMarks(sql, people.flat());
  if (marks.length === 0) return people.map(() => []);
  const requests = await sql.all<SeenRow>(
    `SELECT request_no AS "requestNo", subject_request_id AS "subjectRequestId", status,
            received_time AS "receivedTime", completed_time AS "completedTime"
     FROM @all_requests
     WHERE controller_id = :controllerId AND request_no = ANY(:requestNos::bigint[])
     ORDER BY request_no`,
    { controllerId, requestNos: marks.map(({ requestNo }) => requestNo) },
  );
  const outcomes = await readOutcomes(sql, controllerId, requests);
  const byNo = new Map(
    requests.map(({ requestNo, ...request }): [number, Seen] => [
      requestNo,
      { ...request, outcome: outcomes.get(requestNo) ?? 'still open' },
    ]),
  );
  const marksOf = Map.groupBy(marks, ({ digest }) => hex(digest));
  return people.map((digests) => {
    const named = digests.flatMap((digest) => marksOf.get(hex(digest)) ?? []);
    const nos = new Set(named.map(({ requestNo }) => requestNo));
    return [...nos].sort((a, b) => a - b).flatMap((no) => byNo.get(no) ?? []);
  });
}

interface Mark {
  readonly digest: Uint8Array;
  readonly requestNo: number;
}

function readMarks(sql: Sql, digests: readonly Uint8Array[]): Promise<Mark[]> {
  return sql.all<Mark>(
    `SELECT digest, request_no AS "requestNo" FROM @identity_digests
     WHERE digest = ANY(:digests::bytea[])`,
    { digests },
  );
}

/** A digest made for one controller does not find requests of another. */
export async function named(sql: Sql, lookups: readonly IdentityLookup[]): Promise<RequestKey[]> {
  const controllerOf = new Map(
    lookups.flatMap(({ controllerId, digests }) =>
      digests.map((digest) => [hex(digest), controllerId] as const),
    ),
  );
  const marks = await readMarks(
    sql,
    lookups.flatMap(({ digests }) => digests),
  );
  if (marks.length === 0) return [];
  const requests = await sql.all<RequestKey & { readonly requestNo: number }>(
    `SELECT request_no AS "requestNo", controller_id AS "controllerId",
            subject_request_id AS "subjectRequestId"
     FROM @all_requests WHERE request_no = ANY(:requestNos::bigint[])`,
    { requestNos: marks.map(({ requestNo }) => requestNo) },
  );
  const meant = new Map<number, Set<ControllerId | undefined>>();
  for (const { digest, requestNo } of marks) {
    const own = meant.get(requestNo) ?? new Set();
    meant.set(requestNo, own.add(controllerOf.get(hex(digest))));
  }
  return requests
    .filter(({ requestNo, controllerId }) => meant.get(requestNo)?.has(controllerId))
    .map(({ controllerId, subjectRequestId }) => ({ controllerId, subjectRequestId }));
}
