// Outcomes of requests, together with earlier requests that had erased the same people.

import { isSubjectRequestId } from '@unwrite/protocol';
import {
  erasedBeforeBy,
  type Outcome,
  outcomeAfter,
  type RequestWithTasks,
  type TaskOfRequest,
} from '../../../domain/request/outcome.ts';
import { evidenceFromJson } from '../../../domain/stored-json.ts';
import type { Sql } from '../../sql.ts';
import { SAME_ID } from './same-id.ts';

/**
 * A request has at most ten identities; of a person with more earlier requests than this, only the first
 * ones are named.
 */
const MAX_BEFORE = 100;

export interface RequestRow extends Omit<RequestWithTasks, 'tasks'> {
  readonly requestNo: number;
}

interface TaskRow extends Omit<TaskOfRequest, 'evidence'> {
  readonly requestNo: number;
  readonly evidence: string | null;
}

/** By request number; all requests are of this controller. */
export async function readOutcomes(
  sql: Sql,
  controllerId: string,
  requests: readonly RequestRow[],
): Promise<Map<number, Outcome>> {
  const known = new Map<string, RequestWithTasks & RequestRow>();
  let next = [...requests];
  while (next.length > 0) {
    const read = await withTasks(sql, next);
    for (const one of read) known.set(one.subjectRequestId.toLowerCase(), one);
    const named = new Set(read.flatMap(({ tasks }) => erasedBeforeBy(tasks)));
    const unknown = [...named].filter((id) => !known.has(id) && isSubjectRequestId(id));
    const room = Math.max(0, requests.length + MAX_BEFORE - known.size);
    next = await readRequests(sql, controllerId, unknown.slice(0, room));
  }
  return new Map(
    requests.flatMap(({ requestNo, subjectRequestId }) => {
      const one = known.get(subjectRequestId.toLowerCase());
      return one === undefined ? [] : [[requestNo, outcomeAfter(one, known)]];
    }),
  );
}

async function readRequests(
  sql: Sql,
  controllerId: string,
  ids: readonly string[],
): Promise<RequestRow[]> {
  const found: RequestRow[] = [];
  for (const id of ids) {
    const row = await sql.get<RequestRow>(
      `SELECT request_no AS "requestNo", subject_request_id AS "subjectRequestId", status
       FROM @all_requests WHERE request_uuid = :id::uuid AND controller_id = :controllerId
         AND ${SAME_ID}`,
      { id, controllerId },
    );
    if (row !== undefined) found.push(row);
  }
  return found;
}

async function withTasks(
  sql: Sql,
  requests: readonly RequestRow[],
): Promise<(RequestWithTasks & RequestRow)[]> {
  const tasks = await sql.all<TaskRow>(
    `SELECT request_no AS "requestNo", target, run, state, evidence FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[])`,
    { requestNos: requests.map(({ requestNo }) => requestNo) },
  );
  const ofRequest = Map.groupBy(tasks, ({ requestNo }) => requestNo);
  return requests.map((request) => ({
    ...request,
    tasks: (ofRequest.get(request.requestNo) ?? []).map(taskOf),
  }));
}

function taskOf({ target, run, state, evidence }: TaskRow): TaskOfRequest {
  const parsed = evidence === null ? null : (evidenceFromJson(evidence) ?? null);
  return { target, run, state, evidence: parsed };
}
