import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { TaskCatalogue, TaskFilter } from '../../domain/operator-ports.ts';
import type { Plan, TaskSummary } from '../../domain/task.ts';
import { summariesOf, type TaskRow } from '../task-rows.ts';
import { prepareAttention } from './attention.ts';
import { prepareCircuits } from './circuits.ts';
import { prepareReadIdentities } from './read-identities.ts';

export function createTaskCatalogue(database: DatabaseSync): TaskCatalogue {
  const attention = prepareAttention(database);
  const circuits = prepareCircuits(database);
  const readIdentities = prepareReadIdentities(database);
  const selectRequestNo = database.prepare(
    'SELECT request_no AS requestNo FROM requests WHERE controller_id = ? AND subject_request_id = ?',
  );
  const selectPlan = database.prepare(`
    SELECT targets FROM plans JOIN requests USING (plan_id)
    WHERE controller_id = ? AND subject_request_id = ?
  `);

  return {
    tasks: async (filter) => selectTasks(database, filter),
    attention: async (query) => attention(query),
    circuits: async () => circuits.circuits(),
    async planOf({ controllerId, subjectRequestId }) {
      const row = selectPlan.get(controllerId, subjectRequestId) as { targets: string } | undefined;
      return row && (JSON.parse(row.targets) as Plan['targets']);
    },
    async sealedIdentities({ controllerId, subjectRequestId }) {
      const row = selectRequestNo.get(controllerId, subjectRequestId) as
        | { requestNo: number }
        | undefined;
      return row === undefined ? [] : readIdentities(row.requestNo);
    },
  };
}

function selectTasks(database: DatabaseSync, filter: TaskFilter): TaskSummary[] {
  const conditions: string[] = ['1'];
  const values: SQLInputValue[] = [];
  const where = (condition: string, value: SQLInputValue | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  where('task_no = ?', filter.taskNo);
  where('requests.controller_id = ?', filter.controllerId);
  where('requests.subject_request_id = ?', filter.subjectRequestId);
  where('target = ?', filter.target);
  where('connector = ?', filter.connector);
  where('state = ?', filter.state);
  where('reason = ?', filter.reason);
  const rows = database
    .prepare(`
      SELECT task_no AS taskNo, controller_id AS controllerId,
             subject_request_id AS subjectRequestId, received_time AS receivedTime,
             target, connector, run, phase, state, attempts, due_time AS dueTime,
             reason, detail, previewed_rows AS previewedRows, changed_time AS changedTime,
             allowed_rows AS allowedRows, intents.counts, reported, evidence
      FROM tasks JOIN requests USING (request_no) LEFT JOIN intents USING (task_no)
      WHERE ${conditions.join(' AND ')}
      ORDER BY request_no, task_no LIMIT ?
    `)
    .all(...values, filter.limit) as unknown as TaskRow[];
  return summariesOf(rows);
}
