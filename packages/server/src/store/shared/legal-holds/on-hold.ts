// Which requests a legal hold is on: the request itself, or a person whom one of its digests names.
import { hex, rowsOf, type Sql } from '../../sql.ts';

/** Placing and lifting take this lock alone; whatever erases, or holds a task, shares it until its commit. */
export const LEGAL_HOLDS = 'legal holds';

const ON_HOLD = `
  SELECT request_no AS "requestNo", hold_no AS "holdNo" FROM @legal_holds
  WHERE ended_time IS NULL AND request_no = ANY(:requestNos::bigint[])
  UNION
  SELECT named.request_no, held.hold_no
  FROM @identity_digests AS named
  JOIN @legal_hold_digests AS held ON held.digest = named.digest
  WHERE named.request_no = ANY(:requestNos::bigint[])
  ORDER BY 1, 2`;

/** Hardly ever is there one. */
export async function anyInForce(sql: Sql): Promise<boolean> {
  const found = await sql.get('SELECT 1 AS one FROM @legal_holds WHERE ended_time IS NULL LIMIT 1');
  return found !== undefined;
}

/** The oldest hold on each of these requests. */
export async function requestsOnHold(
  sql: Sql,
  requestNos: readonly number[],
): Promise<Map<number, number>> {
  if (requestNos.length === 0 || !(await anyInForce(sql))) return new Map();
  const rows = await sql.all<{ requestNo: number; holdNo: number }>(ON_HOLD, { requestNos });
  return new Map(rows.toReversed().map(({ requestNo, holdNo }) => [requestNo, holdNo]));
}

export interface NamedTask {
  readonly taskNo: number;
  /** Made with all keys, of all identities: also of those that were looked up. */
  readonly digests?: readonly Uint8Array[];
}

/** Tasks on hold, also by digests that are not stored with their requests; those are stored, too. */
export async function tasksOnHold(sql: Sql, tasks: readonly NamedTask[]): Promise<Set<number>> {
  if (!(await anyInForce(sql))) return new Set();
  const rows = await sql.all<{ taskNo: number; requestNo: number }>(
    `SELECT task_no AS "taskNo", request_no AS "requestNo" FROM @tasks
     WHERE task_no = ANY(:taskNos::bigint[])`,
    { taskNos: tasks.map(({ taskNo }) => taskNo) },
  );
  const requestOf = new Map(rows.map(({ taskNo, requestNo }) => [taskNo, requestNo]));
  const named = tasks.flatMap(({ taskNo, digests = [] }) => {
    const requestNo = requestOf.get(taskNo);
    return requestNo === undefined ? [] : digests.map((digest) => ({ digest, requestNo }));
  });
  await addNames(sql, await namedByHolds(sql, named));
  const held = await requestsOnHold(sql, [...new Set(requestOf.values())]);
  return new Set(rows.flatMap(({ taskNo, requestNo }) => (held.has(requestNo) ? [taskNo] : [])));
}

export interface Name {
  readonly digest: Uint8Array;
  readonly requestNo: number;
}

/** Requests that are named by digests of other keys keep those that a hold is on. */
export async function addHeldNames(sql: Sql, names: readonly Name[]): Promise<void> {
  if (names.length === 0 || !(await anyInForce(sql))) return;
  await addNames(sql, await namedByHolds(sql, names));
}

async function namedByHolds(sql: Sql, names: readonly Name[]): Promise<Name[]> {
  if (names.length === 0) return [];
  const rows = await sql.all<{ digest: Uint8Array }>(
    'SELECT DISTINCT digest FROM @legal_hold_digests WHERE digest = ANY(:digests::bytea[])',
    { digests: names.map(({ digest }) => digest) },
  );
  const held = new Set(rows.map(({ digest }) => hex(digest)));
  return names.filter(({ digest }) => held.has(hex(digest)));
}

async function addNames(sql: Sql, names: readonly Name[]): Promise<void> {
  if (names.length === 0) return;
  await sql.run(
    `INSERT INTO @identity_digests (digest, request_no)
     SELECT decode(digest, 'hex'), "requestNo"
     FROM json_to_recordset(:names::json) AS added (digest text, "requestNo" bigint)
     WHERE true ON CONFLICT DO NOTHING`,
    { names: rowsOf(names) },
  );
}
