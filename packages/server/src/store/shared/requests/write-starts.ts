// Writes the starts of many requests at once, in the caller's transaction, which has locked them.
import type { StartCommand } from '../../../domain/task/fulfilment-ports.ts';
import { plannedTasks } from '../../../domain/task/new-task.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import { addTasks } from '../tasks/add-tasks.ts';
import { addDigests } from './add-identities.ts';

export interface Start extends StartCommand {
  readonly askedBy: string | null;
}

export async function writeStarts(sql: Sql, starts: readonly Start[], now: number): Promise<void> {
  if (starts.length === 0) return;
  const planned = starts.map(({ request, plan }) => {
    return { requestNo: request.requestNo, planId: plan.planId };
  });
  await sql.run(
    `UPDATE @requests
     SET status = 'in_progress', started_time = coalesce(started_time, :now),
         plan_id = start."planId"
     FROM json_to_recordset(:planned::json) AS start ("requestNo" bigint, "planId" text)
     WHERE requests.request_no = start."requestNo"`,
    { planned: rowsOf(planned), now },
  );
  await addTasks(
    sql,
    starts.flatMap(({ request, tasks }) => plannedTasks(request.requestNo, tasks, now)),
    now,
  );
  await addDigests(
    sql,
    starts.flatMap(({ request, digests }) =>
      digests.map((digest) => ({ digest, requestNo: request.requestNo })),
    ),
  );
  await appendAudit(
    sql,
    starts.map((start) => auditOf(start, now)),
  );
  await addPlans(sql, starts, now);
}

/**
 * A plan that is used again gets a new time, so that it is not deleted as unused. Its targets are written again: its
 * id is their digest, so they differ only if someone else changed them, and then its requests would get no receipt.
 */
async function addPlans(sql: Sql, starts: readonly Start[], now: number): Promise<void> {
  const plans = [...new Map(starts.map(({ plan }) => [plan.planId, plan])).values()]
    .map(({ planId, targets }) => ({ planId, targets: JSON.stringify(targets) }))
    .sort((a, b) => (a.planId < b.planId ? -1 : 1));
  await sql.run(
    `INSERT INTO @plans AS kept (plan_id, targets, created_time)
     SELECT "planId", targets, :now::bigint
     FROM json_to_recordset(:plans::json) AS used ("planId" text, targets text)
     WHERE true
     ON CONFLICT (plan_id) DO UPDATE SET targets = excluded.targets, created_time =
       CASE WHEN kept.created_time > excluded.created_time THEN kept.created_time
            ELSE excluded.created_time END`,
    { plans: rowsOf(plans), now },
  );
}

function auditOf({ request, plan, tasks, askedBy }: Start, now: number): AuditEntry {
  const { requestNo, controllerId, subjectRequestId } = request;
  return {
    time: now,
    actor: askedBy ?? 'system',
    action: 'request.started',
    controllerId,
    subjectRequestId,
    detail: JSON.stringify({ plan: plan.planId, targets: tasks.map(({ target }) => target) }),
    requestNo,
  };
}
