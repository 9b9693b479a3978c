import { isSubjectRequestId } from '@unwrite/protocol';
import type { LawFacts } from '../../../domain/deadline/statutory-deadline.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { Outcome } from '../../../domain/request/outcome.ts';
import {
  countsFromJson,
  evidenceFromJson,
  plannedFromJson,
  tablesFromJson,
} from '../../../domain/stored-json.ts';
import type { TaskCatalogue, TaskFilter } from '../../../domain/task/operator-ports.ts';
import type { TaskSummary } from '../../../domain/task/task.ts';
import { conditionsOf, type Database, type Sql } from '../../sql.ts';
import { readIdentities } from '../requests/read-identities.ts';
import { findRequestNo } from '../requests/read-request.ts';
import { readOutcomes } from '../requests/request-outcomes.ts';
import { SAME_ID } from '../requests/same-id.ts';
import { COMES_BEFORE, readAttention } from './attention.ts';
import { readCircuits } from './circuits.ts';
import { releasedOf } from './leased-tasks.ts';

export function createTaskCatalogue(
  { unprepared: database }: Database,
  macs: RowMacs,
): TaskCatalogue {
  return {
    tasks: (filter) => selectTasks(database, filter, macs),
    attention: (query) => readAttention(database, query),
    circuits: () => readCircuits(database),
    async planOf({ controllerId, subjectRequestId }) {
      if (!isSubjectRequestId(subjectRequestId)) return undefined;
      const row = await database.get<{ targets: string }>(
        `SELECT targets FROM @all_requests JOIN @plans USING (plan_id)
         WHERE request_uuid = :subjectRequestId::uuid AND controller_id = :controllerId
           AND ${SAME_ID}`,
        { subjectRequestId, controllerId },
      );
      return row && plannedFromJson(row.targets);
    },
    async outcomes(requests) {
      const outcomes = new Map<number, Outcome>();
      const ofControllers = Map.groupBy(requests, ({ controllerId }) => controllerId);
      for (const [controllerId, own] of ofControllers) {
        for (const [no, outcome] of await readOutcomes(database, controllerId, own))
          outcomes.set(no, outcome);
      }
      return outcomes;
    },
    async sealedIdentities(request) {
      const requestNo = await findRequestNo(database, request);
      if (requestNo === undefined) return [];
      return (await readIdentities(database, [requestNo])).get(requestNo) ?? [];
    },
  };
}

/** Tasks with their requests and intents. */
export const TASK = `task_no AS "taskNo", controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", received_time AS "receivedTime",
  regulation, submitted_time AS "submittedTime", extended_until AS "extendedUntil", target, connector, run, phase, state, attempts, due_time AS "dueTime",
  reason, detail, previewed_rows AS "previewedRows", changed_time AS "changedTime",
  allowed_rows AS "allowedRows", release_mac AS "releaseMac", counts, reported, evidence,
  CASE WHEN state = 'waiting' AND due_time IS NULL THEN (
    SELECT string_agg(other.target, ',' ORDER BY other.target) FROM @tasks AS other
    WHERE ${COMES_BEFORE}) END AS "waitsFor"`;

const CONDITIONS = {
  taskNo: 'task_no = :taskNo',
  controllerId: 'controller_id = :controllerId',
  subjectRequestId: `request_uuid = :subjectRequestId::uuid AND ${SAME_ID}`,
  target: 'target = :target',
  connector: 'connector = :connector',
  state: 'state = :state',
  reason: 'reason = :reason',
};

/** JSON columns are not parsed yet. */
export interface TaskRow
  extends Omit<TaskSummary, 'counts' | 'reported' | 'evidence' | 'waitsFor' | 'law'>,
    Omit<LawFacts, 'receivedTime'> {
  readonly waitsFor: string | null;
  readonly counts: string | null;
  readonly reported: string | null;
  readonly evidence: string | null;
  readonly releaseMac: Uint8Array | null;
}

async function selectTasks(sql: Sql, filter: TaskFilter, macs: RowMacs): Promise<TaskSummary[]> {
  const { subjectRequestId, state } = filter;
  if (subjectRequestId !== undefined && !isSubjectRequestId(subjectRequestId)) return [];
  // Few tasks are open, and open tasks have an index.
  const isOpen = state !== undefined && state !== 'erased' ? "AND state <> 'erased'" : '';
  const rows = await sql.all<TaskRow>(
    `SELECT ${TASK} FROM @tasks JOIN @all_requests AS requests USING (request_no)
     LEFT JOIN @intents USING (task_no)
     WHERE ${conditionsOf(filter, CONDITIONS)} ${isOpen}
     ORDER BY request_no, task_no LIMIT :limit`,
    { ...filter },
  );
  return rows.map((row) => taskOf(row, macs));
}

/** Leaves out values that cannot be read, and raises an alarm. */
export function taskOf<Row extends TaskRow>(
  { releaseMac, regulation, submittedTime, extendedUntil, ...row }: Row,
  macs: RowMacs,
) {
  const counts = row.counts === null ? null : countsFromJson(row.counts);
  const reported = row.reported === null ? null : tablesFromJson(row.reported);
  const evidence = row.evidence === null ? null : evidenceFromJson(row.evidence);
  if (counts === undefined || reported === undefined || evidence === undefined)
    macs.refuse({ kind: 'task', id: String(row.taskNo) }, 'its evidence cannot be read');
  return {
    ...row,
    law: { regulation, submittedTime, extendedUntil },
    allowedRows: releasedOf({ ...row, releaseMac }, macs),
    counts: counts ?? null,
    reported: reported ?? null,
    evidence: evidence ?? null,
    waitsFor: [...new Set(row.waitsFor?.split(','))],
  };
}
