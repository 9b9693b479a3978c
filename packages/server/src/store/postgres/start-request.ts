// What a start writes, for many requests at once: each inside the caller's transaction, which holds them.
import type { StartCommand } from '../../domain/fulfilment-ports.ts';
import type { PlannedTask } from '../../domain/task.ts';
import { type AuditEntry, appendAudit } from '../shared/audit/append-audit.ts';
import type { Sql } from './database.ts';

export interface Start extends StartCommand {
  readonly askedBy: string | null;
}

export async function writeStarts(sql: Sql, starts: readonly Start[], now: number): Promise<void> {
  if (starts.length === 0) return;
  await sql.run(
    `UPDATE @requests
     SET status = 'in_progress', started_time = coalesce(started_time, $3), plan_id = start.plan_id
     FROM unnest($1::bigint[], $2::text[]) AS start (request_no, plan_id)
     WHERE requests.request_no = start.request_no`,
    [starts.map(({ request }) => request.requestNo), starts.map(({ plan }) => plan.planId), now],
  );
  await addTasks(sql, starts, now);
  await addDigests(sql, starts);
  await appendAudit(
    sql,
    starts.map((start) => auditOf(start, now)),
  );
  await addPlans(sql, starts, now);
}

/** Planned anew: a target that was erased with fewer identities gets another run. */
async function addTasks(sql: Sql, starts: readonly Start[], now: number): Promise<void> {
  const all = starts.flatMap(({ request, tasks }) => {
    const resolvesFirst = tasks.some(({ phase }) => phase === 'resolve');
    return tasks.map((task) => ({ ...task, requestNo: request.requestNo, resolvesFirst }));
  });
  const isDue = ({ held, phase, resolvesFirst }: PlannedTask & { resolvesFirst: boolean }) =>
    held === null && !(resolvesFirst && phase === 'erase');
  await sql.run(
    `INSERT INTO @tasks
       (request_no, target, run, connector, phase, resolves, state, due_time, reason, detail,
        changed_time)
     SELECT request_no, target,
            1 + (SELECT coalesce(max(run), 0) FROM @tasks AS before
              WHERE before.request_no = planned.request_no AND before.target = planned.target),
            connector, phase, (phase = 'resolve')::integer,
            CASE WHEN reason IS NULL THEN 'waiting' ELSE 'held' END, due_time, reason, detail, $8
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[],
                 $7::text[])
       WITH ORDINALITY AS planned (request_no, target, connector, phase, due_time, reason, detail,
                                   place)
     ORDER BY place`,
    [
      all.map(({ requestNo }) => requestNo),
      all.map(({ target }) => target),
      all.map(({ connector }) => connector),
      all.map(({ phase }) => phase),
      all.map((task) => (isDue(task) ? now : null)),
      all.map(({ held }) => held?.reason ?? null),
      all.map(({ held }) => held?.detail ?? null),
      now,
    ],
  );
}

async function addDigests(sql: Sql, starts: readonly Start[]): Promise<void> {
  const all = starts.flatMap(({ request, digests }) =>
    digests.map((digest) => ({ digest, requestNo: request.requestNo })),
  );
  if (all.length === 0) return;
  await sql.run(
    `INSERT INTO @identity_digests (digest, request_no)
     SELECT * FROM unnest($1::bytea[], $2::bigint[])
     ON CONFLICT DO NOTHING`,
    [all.map(({ digest }) => digest), all.map(({ requestNo }) => requestNo)],
  );
}

/** Used again, a plan is as young as its last use: whoever deletes old ones leaves it. */
async function addPlans(sql: Sql, starts: readonly Start[], now: number): Promise<void> {
  const plans = [...new Map(starts.map(({ plan }) => [plan.planId, plan])).values()];
  await sql.run(
    `INSERT INTO @plans AS kept (plan_id, targets, created_time)
     SELECT plan_id, targets, $3::bigint
     FROM unnest($1::text[], $2::text[]) AS used (plan_id, targets)
     ORDER BY plan_id COLLATE "C"
     ON CONFLICT (plan_id) DO UPDATE
     SET created_time = greatest(kept.created_time, excluded.created_time)`,
    [plans.map(({ planId }) => planId), plans.map(({ targets }) => JSON.stringify(targets)), now],
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
