import type { DatabaseSync } from 'node:sqlite';
import type { DueRequest, StartCommand } from '../../domain/fulfilment-ports.ts';
import type { Plan, PlannedTask } from '../../domain/task.ts';
import type { AppendAudit } from './audit.ts';
import { prepareReadIdentities } from './read-identities.ts';

type DueRow = Omit<DueRequest, 'identities'>;

const COLUMNS = `request_no AS requestNo, controller_id AS controllerId,
  subject_request_id AS subjectRequestId`;

/** Requests to be started, oldest first; each of the three ways has an index of its own. */
export function prepareDueRequests(database: DatabaseSync) {
  const readIdentities = prepareReadIdentities(database);
  const pastTheWindow = database.prepare(`
    SELECT ${COLUMNS} FROM requests
    WHERE status = 'pending' AND received_time <= ? ORDER BY received_time, request_no LIMIT ?
  `);
  const askedFor = database.prepare(`
    SELECT ${COLUMNS} FROM requests
    WHERE status = 'pending' AND start_asked_by IS NOT NULL ORDER BY request_no LIMIT ?
  `);
  const toPlan = database.prepare(`
    SELECT ${COLUMNS} FROM requests
    WHERE status = 'in_progress' AND plan_id IS NULL ORDER BY request_no LIMIT ?
  `);

  return (receivedBefore: number, most: number): DueRequest[] => {
    const rows = [
      ...toPlan.all(most),
      ...askedFor.all(most),
      ...pastTheWindow.all(receivedBefore, most),
    ] as unknown as DueRow[];
    const once = new Map(rows.map((row) => [row.requestNo, row]));
    // What operators wait for is never left out for the rest; among those chosen the oldest is first.
    return [...once.values()]
      .slice(0, most)
      .sort((a, b) => a.requestNo - b.requestNo)
      .map((row) => ({ ...row, identities: readIdentities(row.requestNo) }));
  };
}

/** One request: inside the caller's transaction, and only if nobody cancelled it meanwhile. */
export function prepareStartRequest(database: DatabaseSync, appendAudit: AppendAudit) {
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

  return ({ request, plan, tasks, digests }: StartCommand, now: number): boolean => {
    const { requestNo, controllerId, subjectRequestId } = request;
    const sealed = request.identities.length;
    const row = start.get({ now, planId: plan.planId, requestNo, sealed }) as
      | { askedBy: string | null }
      | undefined;
    if (row === undefined) return false;
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
