import {
  type ErasedBefore,
  type LegalHold,
  type LegalHoldEnds,
  type LegalHoldFilter,
  type LegalHoldStore,
  requireHoldable,
  requireInForce,
} from '../../../domain/legal-hold/legal-hold.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import { noRequest } from '../../../domain/request/request-rules.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { NotPossible } from '../../../domain/task/operator-ports.ts';
import { conditionsOf, type Database, rowsOf, type Sql, type Transaction } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { findRequestNo, readRequest } from '../requests/read-request.ts';
import { holdTasksOf, resumeTasks } from './hold-tasks.ts';
import { LEGAL_HOLDS } from './on-hold.ts';

const COLUMNS = `hold_no AS "holdNo", controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", reason, placed_time AS "placedTime",
  placed_by AS "placedBy", until_time AS "untilTime", ended_time AS "endedTime",
  ended_by AS "endedBy"`;

const CONDITIONS = {
  controllerId: 'controller_id = :controllerId',
  holdNo: 'hold_no = :holdNo',
};

/** On which requests a hold is, however far they are. */
const ITS_REQUESTS = `
  SELECT request_no FROM @legal_holds WHERE hold_no = :holdNo AND request_no IS NOT NULL
  UNION SELECT named.request_no
  FROM @legal_hold_digests AS held JOIN @identity_digests AS named ON named.digest = held.digest
  WHERE held.hold_no = :holdNo`;

/** The newest are enough to read. */
const MAX_LISTED = 1000;

export function createLegalHoldStore(database: Database): LegalHoldStore {
  return {
    list: (filter) => list(database, filter),
    place: (hold, by) =>
      database.transaction(async (sql) => {
        const { controllerId, on, reason, untilTime } = hold;
        await sql.lock(LEGAL_HOLDS);
        const request = 'subjectRequestId' in on ? await readHoldable(sql, on) : undefined;
        const [made] = await sql.all<{ holdNo: number }>(
          `INSERT INTO @legal_holds
             (controller_id, request_no, subject_request_id, reason, placed_time, placed_by, until_time)
           VALUES (:controllerId, :requestNo, :id, :reason, :now, :actor, :untilTime)
           RETURNING hold_no AS "holdNo"`,
          {
            controllerId,
            requestNo: request?.requestNo ?? null,
            id: request?.subjectRequestId ?? null,
            reason,
            now: by.now,
            actor: by.actor,
            untilTime,
          },
        );
        const holdNo = made?.holdNo ?? 0;
        if ('digests' in on) await addDigests(sql, holdNo, on.digests);
        await appendAudit(sql, [
          {
            ...auditOf('legal_hold.placed', by, detailOf(holdNo, reason, untilTime), controllerId),
            subjectRequestId: request?.subjectRequestId ?? null,
            requestNo: request?.requestNo ?? null,
          },
        ]);
        const open = await openRequests(sql, holdNo);
        await holdTasksOf(
          sql,
          open.map(({ requestNo }) => requestNo),
          by.now,
        );
        return {
          hold: await read(sql, holdNo),
          requests: open.map(({ subjectRequestId }) => subjectRequestId),
          tooLate: await erasedBefore(sql, holdNo),
        };
      }),
    lift: (holdNo, reason, by) =>
      database.transaction(async (sql) => {
        await sql.lock(LEGAL_HOLDS);
        const hold = await read(sql, holdNo);
        requireInForce(hold);
        await end(sql, hold, by, reason);
        return read(sql, holdNo);
      }),
  };
}

export function createLegalHoldEnds(database: Database): LegalHoldEnds {
  const due = 'ended_time IS NULL AND until_time <= :now';
  return {
    async anyToEnd(now) {
      const found = await database.get(`SELECT 1 AS one FROM @legal_holds WHERE ${due} LIMIT 1`, {
        now,
      });
      return found !== undefined;
    },
    endDue: (now) =>
      database.transaction(async (sql) => {
        await sql.lock(LEGAL_HOLDS);
        const over = await sql.all<LegalHold>(
          `SELECT ${COLUMNS} FROM @legal_holds WHERE ${due} ORDER BY hold_no`,
          { now },
        );
        for (const hold of over) await end(sql, hold, { actor: 'system', now }, null);
        return over.length;
      }),
  };
}

/** Called with the lock alone. */
async function end(
  sql: Transaction,
  hold: LegalHold,
  by: Actor,
  reason: string | null,
): Promise<void> {
  const { holdNo, controllerId, subjectRequestId } = hold;
  const { actor, now } = by;
  await sql.run(
    'UPDATE @legal_holds SET ended_time = :now, ended_by = :actor WHERE hold_no = :holdNo',
    { holdNo, now, actor },
  );
  await sql.run('DELETE FROM @legal_hold_digests WHERE hold_no = :holdNo', { holdNo });
  const action = reason === null ? 'legal_hold.ended' : 'legal_hold.lifted';
  const requestNo =
    subjectRequestId && (await findRequestNo(sql, { controllerId, subjectRequestId }));
  await appendAudit(sql, [
    {
      ...auditOf(action, by, detailOf(holdNo, reason, null), controllerId),
      subjectRequestId,
      requestNo: requestNo ?? null,
    },
  ]);
  await resumeTasks(sql, controllerId, now);
}

function detailOf(hold: number, reason: string | null, until: number | null) {
  return {
    hold,
    ...(reason !== null && { reason }),
    ...(until !== null && { until: new Date(until).toISOString() }),
  };
}

async function readHoldable(sql: Sql, key: RequestKey) {
  const request = await readRequest<RequestKey & { requestNo: number; status: string }>(
    sql,
    key,
    'status',
  );
  if (request === undefined) throw noRequest(key);
  requireHoldable(request, request.status);
  return request;
}

async function addDigests(sql: Sql, holdNo: number, digests: readonly Uint8Array[]): Promise<void> {
  await sql.run(
    `INSERT INTO @legal_hold_digests (digest, hold_no)
     SELECT decode(digest, 'hex'), :holdNo::bigint
     FROM json_to_recordset(:digests::json) AS added (digest text)
     WHERE true ON CONFLICT DO NOTHING`,
    { holdNo, digests: rowsOf(digests.map((digest) => ({ digest }))) },
  );
}

/** A request that has not started is found when it starts. */
async function openRequests(sql: Sql, holdNo: number) {
  return sql.all<{ requestNo: number; subjectRequestId: ErasedBefore['subjectRequestId'] }>(
    `SELECT request_no AS "requestNo", subject_request_id AS "subjectRequestId" FROM @requests
     WHERE request_no IN (${ITS_REQUESTS}) AND (status IN ('pending', 'in_progress')
       OR EXISTS (SELECT 1 FROM @tasks AS open
         WHERE open.request_no = requests.request_no AND open.state <> 'erased'))
     ORDER BY request_no`,
    { holdNo },
  );
}

/** Tasks that have erased something, and those whose transaction was recorded, and has not ended yet for all that is known. */
async function erasedBefore(sql: Sql, holdNo: number): Promise<ErasedBefore[]> {
  const rows = await sql.all<
    ErasedBefore & { readonly taskNo: number; readonly hasErased: boolean | 0 | 1 | null }
  >(
    `SELECT task_no AS "taskNo", own.subject_request_id AS "subjectRequestId", target,
            changed_time AS "erasedTime",
            reported IS NOT NULL OR evidence::json ->> 'action' IN ('erased', 'confirmed')
              AS "hasErased"
     FROM @tasks AS tasks JOIN @all_requests AS own USING (request_no)
     WHERE request_no IN (${ITS_REQUESTS})
     ORDER BY task_no`,
    { holdNo },
  );
  const recorded = await recordedTimes(
    sql,
    rows.map(({ target }) => target),
  );
  return rows.flatMap(({ taskNo, hasErased, ...row }): ErasedBefore[] => {
    const recordedTime = recorded.get(taskNo);
    if (recordedTime !== undefined)
      return [{ ...row, erasedTime: recordedTime, isCommitting: true }];
    return hasErased ? [{ ...row, isCommitting: false }] : [];
  });
}

async function recordedTimes(sql: Sql, targets: readonly string[]): Promise<Map<number, number>> {
  const rows = await sql.all<{ recordedTime: number; tables: string }>(
    `SELECT recorded_time AS "recordedTime", tables FROM @erasing_transactions
     WHERE target = ANY(:targets::text[])`,
    { targets: [...new Set(targets)] },
  );
  return new Map(
    rows.flatMap(({ recordedTime, tables }) =>
      (JSON.parse(tables) as [number, string][]).map(([taskNo]) => [taskNo, recordedTime] as const),
    ),
  );
}

async function list(sql: Sql, filter: LegalHoldFilter): Promise<LegalHold[]> {
  const { on, isInForce, ...given } = filter;
  const requestNo = on && ((await findRequestNo(sql, on)) ?? -1);
  const inForce = isInForce === undefined ? 'true' : `ended_time IS ${isInForce ? '' : 'NOT '}NULL`;
  return sql.all<LegalHold>(
    `SELECT ${COLUMNS} FROM @legal_holds
     WHERE ${conditionsOf(given, CONDITIONS)} AND ${inForce}
       AND ${requestNo === undefined ? 'true' : ON_REQUEST}
     ORDER BY hold_no DESC LIMIT ${MAX_LISTED}`,
    { ...given, ...(requestNo !== undefined && { requestNo }) },
  );
}

const ON_REQUEST = `(request_no = :requestNo OR hold_no IN (
  SELECT held.hold_no FROM @legal_hold_digests AS held
  JOIN @identity_digests AS named ON named.digest = held.digest
  WHERE named.request_no = :requestNo))`;

async function read(sql: Sql, holdNo: number): Promise<LegalHold> {
  const [hold] = await list(sql, { holdNo });
  if (hold === undefined) throw new NotPossible(`there is no legal hold ${holdNo}`);
  return hold;
}
