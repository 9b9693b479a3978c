// What operators do to whole requests: start now, retry now, say who is meant.
import type { DatabaseSync } from 'node:sqlite';
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
import { type Identified, prepareAddIdentities } from './add-identities.ts';
import type { AppendAudit } from './audit.ts';
import { prepareUnblock } from './record-outcomes.ts';
import { prepareSettleRequests } from './settle-requests.ts';

/** Each runs inside the caller's transaction. */
export function prepareOperateRequests(database: DatabaseSync, appendAudit: AppendAudit) {
  const select = database.prepare(`
    SELECT request_no AS requestNo, controller_id AS controllerId,
           subject_request_id AS subjectRequestId, status
    FROM requests WHERE controller_id = ? AND subject_request_id = ?
  `);
  const ask = database.prepare('UPDATE requests SET start_asked_by = ? WHERE request_no = ?');
  const retry = database.prepare(`
    UPDATE tasks SET due_time = :now
    WHERE request_no = :requestNo AND state IN ('waiting', 'failed')
      AND (due_time IS NOT NULL OR phase = 'resolve')
  `);
  const probe = database.prepare(`
    UPDATE circuits SET probe_time = :now
    WHERE target IN (SELECT target FROM tasks WHERE request_no = :requestNo AND state <> 'erased')
  `);
  const openTask = database.prepare(
    "SELECT 1 FROM tasks WHERE request_no = ? AND state <> 'erased' LIMIT 1",
  );
  const anyTask = database.prepare('SELECT 1 FROM tasks WHERE request_no = ? LIMIT 1');
  const unblock = prepareUnblock(database);
  const settleRequests = prepareSettleRequests(database, appendAudit);
  const addIdentities = prepareAddIdentities(database);

  function read(key: RequestKey): OperatedRequest {
    const row = select.get(key.controllerId, key.subjectRequestId);
    if (row === undefined) throw noRequest(key);
    return row as unknown as OperatedRequest;
  }

  return {
    askStart(key: RequestKey, by: Actor): void {
      const request = read(key);
      requireStartable(request);
      ask.run(by.actor, request.requestNo);
      appendAudit(auditOfRequest(request, 'request.start_asked', by), request.requestNo);
    },

    retry(key: RequestKey, by: Actor): number {
      const request = read(key);
      const { requestNo } = request;
      requireRetryable(request, openTask.get(requestNo) !== undefined);
      const { changes } = retry.run({ requestNo, now: by.now });
      unblock(requestNo, by.now);
      probe.run({ requestNo, now: by.now });
      appendAudit(auditOfRequest(request, 'request.retried', by), requestNo);
      // Nothing is ever completed by nobody: without a task, nothing was erased.
      if (anyTask.get(requestNo) !== undefined) settleRequests([requestNo], by.now);
      return Number(changes);
    },

    identify(key: RequestKey, identified: Identified, by: Actor): void {
      const request = read(key);
      requireIdentifiable(request);
      addIdentities(request.requestNo, identified, by, request.status === 'in_progress');
      appendAudit(auditOfRequest(request, 'request.identified', by), request.requestNo);
    },
  };
}
