// What operators do to whole requests: start now, retry now, say who is meant. Each runs inside the caller's
// transaction and holds the request.
import type { Actor } from '../../domain/operator-ports.ts';
import type { RequestKey } from '../../domain/request.ts';
import {
  auditOfRequest,
  noRequest,
  type OperatedRequest,
  requireIdentifiable,
  requireRetryable,
  requireStartable,
} from '../request-rules.ts';
import { appendAudit } from '../shared/audit/append-audit.ts';
import { addIdentities, type Identified } from './add-identities.ts';
import { countDaily } from './daily-counts.ts';
import type { Sql } from './database.ts';
import { lockRequest, lockTasks } from './lock-requests.ts';
import { settleRequests } from './settle-requests.ts';
import { unblock } from './unblock.ts';

export async function askStart(sql: Sql, key: RequestKey, by: Actor): Promise<void> {
  const request = await hold(sql, key);
  requireStartable(request);
  const { requestNo } = request;
  await sql.run('UPDATE @requests SET start_asked_by = $1 WHERE request_no = $2', [
    by.actor,
    requestNo,
  ]);
  await appendAudit(sql, [{ ...auditOfRequest(request, 'request.start_asked', by), requestNo }]);
}

export async function retry(sql: Sql, key: RequestKey, by: Actor): Promise<number> {
  const request = await hold(sql, key);
  const { requestNo } = request;
  await lockTasks(sql, requestNo);
  const tasks = await sql.get<{ any: boolean; open: boolean }>(
    `SELECT count(*) > 0 AS any, count(*) FILTER (WHERE state <> 'erased') > 0 AS open
     FROM @tasks WHERE request_no = $1`,
    [requestNo],
  );
  requireRetryable(request, tasks?.open === true);
  const changed = await sql.run(
    `UPDATE @tasks SET due_time = $2
     WHERE request_no = $1 AND state IN ('waiting', 'failed')
       AND (due_time IS NOT NULL OR phase = 'resolve')`,
    [requestNo, by.now],
  );
  await unblock(sql, [requestNo], by.now);
  await sql.run(
    `UPDATE @circuits SET probe_time = $2
     WHERE target IN (SELECT target FROM @tasks WHERE request_no = $1 AND state <> 'erased')`,
    [requestNo, by.now],
  );
  const audit = { ...auditOfRequest(request, 'request.retried', by), requestNo };
  // Nothing is ever completed by nobody: without a task, nothing was erased.
  const settled = tasks?.any
    ? await settleRequests(sql, [requestNo], by.now)
    : { entries: [], counts: [] };
  await appendAudit(sql, [audit, ...settled.entries]);
  await countDaily(sql, settled.counts);
  return changed;
}

export async function identify(
  sql: Sql,
  key: RequestKey,
  identified: Identified,
  by: Actor,
): Promise<void> {
  const request = await hold(sql, key);
  requireIdentifiable(request);
  const { requestNo } = request;
  await addIdentities(sql, requestNo, identified, by, request.status === 'in_progress');
  await appendAudit(sql, [{ ...auditOfRequest(request, 'request.identified', by), requestNo }]);
}

async function hold(sql: Sql, key: RequestKey): Promise<OperatedRequest> {
  const request = await lockRequest(sql, key);
  if (request === undefined) throw noRequest(key);
  return request;
}
