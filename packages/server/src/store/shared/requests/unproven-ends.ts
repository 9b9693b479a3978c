// Requests that must not be completed, because the audit log does not have the end of one of their tasks: somebody
// else has set its state, or deleted it. The controller is not told that a person was erased who was not.
import { completionProblem, hasEnded } from '../../../domain/request/proven-ends.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import type { Sql } from '../../sql.ts';
import type { AuditEntry } from '../audit/append-audit.ts';
import { isCutSince } from '../audit/cut-audit.ts';
import { readOwnRows } from '../audit/logged-rows.ts';
import type { LoggedKey } from '../audit/rows-of-requests.ts';
import { heldAs, holdAs } from '../tasks/hold-unfit.ts';

export type SettledKey = LoggedKey & RequestKey;

interface DoneTask {
  readonly taskNo: number;
  readonly requestNo: number;
  readonly target: string;
}

export interface Unproven {
  readonly requestNos: ReadonlySet<number>;
  /** About the tasks that are held now. */
  readonly entries: readonly AuditEntry[];
}

const NO_END = 'the log does not say that it has ended';

export async function holdUnproven(
  sql: Sql,
  requests: readonly SettledKey[],
  /** What the caller is about to append. */
  ending: readonly AuditEntry[],
  now: number,
): Promise<Unproven> {
  if (requests.length === 0) return { requestNos: new Set(), entries: [] };
  const logged = await readOwnRows(sql, requests);
  const endingOf = Map.groupBy(ending, ({ requestNo }) => requestNo);
  const rowsOf = (request: SettledKey) => [
    ...logged(request),
    ...(endingOf.get(request.requestNo) ?? []),
  ];
  const unproven: SettledKey[] = [];
  for (const request of requests) {
    const problem = completionProblem(rowsOf(request));
    if (problem === undefined) continue;
    if (await isCutSince(sql, sql.rowMacs, request.receivedTime)) continue;
    unproven.push(request);
    sql.rowMacs.refuse({ kind: 'request', id: request.subjectRequestId }, problem);
  }
  const requestNos = new Set(unproven.map(({ requestNo }) => requestNo));
  if (unproven.length === 0) return { requestNos, entries: [] };
  const tasks = await sql.all<DoneTask>(
    `SELECT task_no AS "taskNo", request_no AS "requestNo", target FROM @tasks
     WHERE request_no = ANY(:requestNos::bigint[]) ORDER BY task_no`,
    { requestNos: [...requestNos] },
  );
  const held = unproven.flatMap((request) =>
    tasks
      .filter((task) => task.requestNo === request.requestNo && !hasEnded(task, rowsOf(request)))
      .map((task) => ({ ...request, ...task, problem: NO_END })),
  );
  await holdAs(sql, held, now);
  return { requestNos, entries: heldAs(held, now) };
}
