import { isSubjectRequestId } from '@unwrite/protocol';
import type { TaskCatalogue, TaskFilter } from '../../domain/operator-ports.ts';
import type { Plan, TaskSummary } from '../../domain/task.ts';
import { findRequestNo } from '../shared/requests/request-no.ts';
import { summariesOf } from '../task-rows.ts';
import { prepareAttention } from './attention.ts';
import { prepareCircuits } from './circuits.ts';
import type { Database, Sql } from './database.ts';
import { readIdentities } from './read-identities.ts';

export function createTaskCatalogue({ unprepared: database }: Database): TaskCatalogue {
  return {
    tasks: (filter) => selectTasks(database, filter),
    attention: prepareAttention(database),
    circuits: prepareCircuits(database).circuits,
    async planOf({ controllerId, subjectRequestId }) {
      if (!isSubjectRequestId(subjectRequestId)) return undefined;
      const row = await database.get<{ targets: string }>(
        `SELECT targets FROM @all_requests JOIN @plans USING (plan_id)
         WHERE request_uuid = $1::uuid AND controller_id = $2`,
        [subjectRequestId, controllerId],
      );
      return row && (JSON.parse(row.targets) as Plan['targets']);
    },
    async sealedIdentities(request) {
      const requestNo = await findRequestNo(database, request);
      if (requestNo === undefined) return [];
      return (await readIdentities(database, [requestNo])).get(requestNo) ?? [];
    },
  };
}

async function selectTasks(sql: Sql, filter: TaskFilter): Promise<TaskSummary[]> {
  const { subjectRequestId } = filter;
  if (subjectRequestId !== undefined && !isSubjectRequestId(subjectRequestId)) return [];
  const conditions: string[] = ['true'];
  const values: (string | number)[] = [];
  const where = (condition: string, value: string | number | undefined) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  where('task_no =', filter.taskNo);
  where('controller_id =', filter.controllerId);
  where('request_uuid =', subjectRequestId);
  where('target =', filter.target);
  where('connector =', filter.connector);
  where('state =', filter.state);
  // Few of all tasks are open, and those have an index.
  if (filter.state !== undefined && filter.state !== 'erased') conditions.push("state <> 'erased'");
  where('reason =', filter.reason);
  values.push(filter.limit);
  return summariesOf(
    await sql.all(
      `SELECT task_no AS "taskNo", controller_id AS "controllerId",
              subject_request_id AS "subjectRequestId", received_time AS "receivedTime",
              target, connector, run, phase, state, attempts, due_time AS "dueTime",
              reason, detail, previewed_rows AS "previewedRows", changed_time AS "changedTime",
              allowed_rows AS "allowedRows", counts, reported, evidence
       FROM @tasks JOIN @all_requests USING (request_no) LEFT JOIN @intents USING (task_no)
       WHERE ${conditions.join(' AND ')}
       ORDER BY request_no, task_no LIMIT $${values.length}`,
      values,
    ),
  );
}
