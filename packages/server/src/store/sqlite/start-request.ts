import type { DatabaseSync } from 'node:sqlite';
import type { ControllerId } from '../../domain/controller-id.ts';
import type { StartCommand } from '../../domain/fulfilment-ports.ts';
import type { Plan, PlannedTask } from '../../domain/task.ts';
import type { AppendAudit } from './audit.ts';

export interface StartsOfADay {
  hasRoom(controllerId: ControllerId): boolean;
  count(controllerId: ControllerId): void;
}

/** One request: inside the caller's transaction, and only if nobody cancelled it meanwhile. */
export function prepareStartRequest(database: DatabaseSync, appendAudit: AppendAudit) {
  const isFirstStart = database.prepare(
    'SELECT start_asked_by AS askedBy FROM requests WHERE request_no = ? AND started_time IS NULL',
  );
  // The condition decides the race against a cancellation: exactly one of them finds `pending`. And
  // against an operator who names somebody: a plan for nobody must not outlive that.
  const start = database.prepare(`
    UPDATE requests
    SET status = 'in_progress', started_time = coalesce(started_time, :now), plan_id = :planId
    WHERE request_no = :requestNo
      AND (status = 'pending' OR (status = 'in_progress' AND plan_id IS NULL))
      AND :sealed = (SELECT count(*) FROM sealed_identities WHERE request_no = :requestNo)
                  + (SELECT count(*) FROM added_identities WHERE request_no = :requestNo)
    RETURNING start_asked_by AS askedBy
  `);
  const insertPlan = database.prepare(
    'INSERT INTO plans (plan_id, targets, created_time) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  // Planned anew: a target that was erased with fewer identities gets another run.
  const insertTask = database.prepare(`
    INSERT INTO tasks
      (request_no, target, run, connector, phase, resolves, state, due_time, reason, detail,
       changed_time)
    VALUES (:requestNo, :target,
      1 + (SELECT coalesce(max(run), 0) FROM tasks WHERE request_no = :requestNo AND target = :target),
      :connector, :phase, :phase = 'resolve', :state, :dueTime, :reason, :detail, :now)
  `);
  const insertDigest = database.prepare(
    'INSERT INTO identity_digests (digest, request_no) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );

  function addTask(requestNo: number, task: PlannedTask, isBlocked: boolean, now: number): void {
    insertTask.run({
      requestNo,
      target: task.target,
      connector: task.connector,
      phase: task.phase,
      state: task.held === null ? 'waiting' : 'held',
      dueTime: task.held !== null || isBlocked ? null : now,
      reason: task.held?.reason ?? null,
      detail: task.held?.detail ?? null,
      now,
    });
  }

  function addPlan({ planId, targets }: Plan, now: number): void {
    insertPlan.run(planId, JSON.stringify(targets), now);
  }

  return (
    { request, plan, tasks, digests }: StartCommand,
    now: number,
    starts: StartsOfADay,
  ): boolean => {
    const { requestNo, controllerId, subjectRequestId } = request;
    const first = isFirstStart.get(requestNo) as { askedBy: string | null } | undefined;
    if (first?.askedBy === null && !starts.hasRoom(controllerId)) return false;
    const sealed = request.identities.length;
    const row = start.get({ now, planId: plan.planId, requestNo, sealed }) as
      | { askedBy: string | null }
      | undefined;
    if (row === undefined) return false;
    if (first !== undefined) starts.count(controllerId);
    addPlan(plan, now);
    const resolvesFirst = tasks.some(({ phase }) => phase === 'resolve');
    for (const task of tasks)
      addTask(requestNo, task, resolvesFirst && task.phase === 'erase', now);
    for (const digest of digests) insertDigest.run(digest, requestNo);
    appendAudit(
      {
        time: now,
        actor: row.askedBy ?? 'system',
        action: 'request.started',
        controllerId,
        subjectRequestId,
        detail: JSON.stringify({ plan: plan.planId, targets: tasks.map(({ target }) => target) }),
      },
      requestNo,
    );
    return true;
  };
}
