// Operators' actions on requests: start now, cancel, extend, retry now, add identities. Each runs in the caller's
// transaction and locks the request.

import type { RequestKey } from '../../../domain/request/request.ts';
import {
  auditOfRequest,
  noRequest,
  type OperatedRequest,
  requireCancellable,
  requireExtendable,
  requireIdentifiable,
  requireRetryable,
  requireSeenRequest,
  requireStartable,
} from '../../../domain/request/request-rules.ts';
import { retriedTasks, unblockedTasks } from '../../../domain/task/open-tasks.ts';
import type { Actor, Extension } from '../../../domain/task/operator-ports.ts';
import type { Sql, Transaction } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { holdTasksOf } from '../legal-holds/hold-tasks.ts';
import { LEGAL_HOLDS } from '../legal-holds/on-hold.ts';
import { makeDue, readStandings } from '../tasks/add-tasks.ts';
import { countDaily } from '../tasks/daily-counts.ts';
import { addIdentities, type Identified } from './add-identities.ts';
import { cancelRequests } from './cancel-requests.ts';
import { digestSealed } from './digest-sealed.ts';
import { lockRequest, lockTasks } from './lock-requests.ts';
import { settleRequests, writeSettled } from './settle-requests.ts';

export async function askStart(sql: Sql, key: RequestKey, by: Actor): Promise<void> {
  const request = await lockOperated(sql, key, by);
  requireStartable(request, by);
  const { requestNo } = request;
  await sql.run('UPDATE @requests SET start_asked_by = :actor WHERE request_no = :requestNo', {
    actor: by.actor,
    requestNo,
  });
  await appendAudit(sql, [{ ...auditOfRequest(request, 'request.start_asked', by), requestNo }]);
}

/** As a controller's cancellation: nothing of the person stays. */
export async function cancel(sql: Sql, key: RequestKey, reason: string, by: Actor): Promise<void> {
  const request = await lockOperated(sql, key, by);
  requireCancellable(request);
  const { requestNo, controllerId } = request;
  await cancelRequests(sql, [requestNo], by.now);
  const row = auditOfRequest(request, 'request.cancelled', by);
  await appendAudit(sql, [{ ...row, detail: JSON.stringify({ reason }), requestNo }]);
  await countDaily(sql, [{ what: 'cancelled', whose: controllerId, count: 1, time: by.now }]);
}

export async function extend(
  sql: Sql,
  key: RequestKey,
  { until, reason }: Extension,
  by: Actor,
): Promise<void> {
  const request = await lockOperated(sql, key, by);
  requireExtendable(request);
  const { requestNo } = request;
  await sql.run('UPDATE @requests SET extended_until = :until WHERE request_no = :requestNo', {
    until,
    requestNo,
  });
  const detail = JSON.stringify({ until: new Date(until).toISOString(), reason });
  const row = auditOfRequest(request, 'request.extended', by);
  await appendAudit(sql, [{ ...row, detail, requestNo }]);
}

export async function retry(sql: Sql, key: RequestKey, by: Actor): Promise<number> {
  const request = await lockOperated(sql, key, by);
  const { requestNo } = request;
  const { now } = by;
  await lockTasks(sql, requestNo);
  const tasks = await readStandings(sql, [requestNo]);
  requireRetryable(request, tasks.length > 0);
  const retried = retriedTasks(tasks);
  await makeDue(sql, [...retried, ...unblockedTasks(tasks)], now);
  await sql.run('UPDATE @circuits SET probe_time = :now WHERE target = ANY(:targets::text[])', {
    targets: tasks.map(({ target }) => target),
    now,
  });
  await appendAudit(sql, [{ ...auditOfRequest(request, 'request.retried', by), requestNo }]);
  // A request without tasks must not complete: nothing was erased.
  if (await hasTasks(sql, requestNo))
    await writeSettled(sql, await settleRequests(sql, [requestNo], now));
  return retried.length;
}

export async function identify(
  sql: Transaction,
  key: RequestKey,
  identified: Identified,
  by: Actor,
): Promise<void> {
  await sql.lock(LEGAL_HOLDS, 'shared');
  const request = await lockOperated(sql, key, by);
  requireIdentifiable(request);
  const { requestNo } = request;
  const again = await addIdentities(
    sql,
    requestNo,
    identified,
    by,
    request.status === 'in_progress',
  );
  await holdTasksOf(sql, [requestNo], by.now);
  const detail = JSON.stringify({ identities: digestSealed(identified.sealed.sealed), again });
  const row = auditOfRequest(request, 'request.identified', by);
  await appendAudit(sql, [{ ...row, detail, requestNo }]);
}

async function hasTasks(sql: Sql, requestNo: number): Promise<boolean> {
  const task = await sql.get('SELECT 1 FROM @tasks WHERE request_no = :requestNo LIMIT 1', {
    requestNo,
  });
  return task !== undefined;
}

async function lockOperated(sql: Sql, key: RequestKey, by: Actor): Promise<OperatedRequest> {
  const request = await lockRequest(sql, key);
  if (request === undefined) throw noRequest(key);
  requireSeenRequest(request, by);
  return request;
}
