// What operators do to whole requests: start now, retry now, say who is meant.
import type { DatabaseSync } from 'node:sqlite';
import type { RequestStatus } from '@unwrite/protocol';
import type { AuditAction } from '../../domain/audit-row.ts';
import { type Actor, NotPossible } from '../../domain/operator-ports.ts';
import type { RequestKey } from '../../domain/request.ts';
import { type Identified, prepareAddIdentities } from './add-identities.ts';
import type { AppendAudit } from './audit.ts';
import { prepareUnblock } from './record-outcomes.ts';
import { prepareSettleRequests } from './settle-requests.ts';

interface RequestRow extends RequestKey {
  readonly requestNo: number;
  readonly status: RequestStatus;
}

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

  function read({ controllerId, subjectRequestId }: RequestKey): RequestRow {
    const row = select.get(controllerId, subjectRequestId) as unknown as RequestRow | undefined;
    if (row === undefined) throw new NotPossible(`there is no request ${subjectRequestId}`);
    return row;
  }

  function audit(request: RequestRow, action: AuditAction, { actor, now }: Actor): void {
    const { controllerId, subjectRequestId, requestNo } = request;
    appendAudit(
      { time: now, actor, action, controllerId, subjectRequestId, detail: null },
      requestNo,
    );
  }

  return {
    askStart(key: RequestKey, by: Actor): void {
      const request = read(key);
      if (request.status !== 'pending') throw notIn(request, 'started; only pending ones are');
      ask.run(by.actor, request.requestNo);
      audit(request, 'request.start_asked', by);
    },

    retry(key: RequestKey, by: Actor): number {
      const request = read(key);
      const isAgain = request.status === 'completed' && openTask.get(request.requestNo);
      if (request.status !== 'in_progress' && !isAgain)
        throw notIn(request, 'retried; only those in progress are');
      const { requestNo } = request;
      const { changes } = retry.run({ requestNo, now: by.now });
      unblock(requestNo, by.now);
      probe.run({ requestNo, now: by.now });
      audit(request, 'request.retried', by);
      // Nothing is ever completed by nobody: without a task, nothing was erased.
      if (anyTask.get(requestNo) !== undefined) settleRequests([requestNo], by.now);
      return Number(changes);
    },

    identify(key: RequestKey, identified: Identified, by: Actor): void {
      const request = read(key);
      if (request.status !== 'pending' && request.status !== 'in_progress') {
        throw notIn(request, 'given identities');
      }
      addIdentities(request.requestNo, identified, by, request.status === 'in_progress');
      audit(request, 'request.identified', by);
    },
  };
}

function notIn({ subjectRequestId, status }: RequestRow, what: string): NotPossible {
  return new NotPossible(`request ${subjectRequestId} is ${status} and cannot be ${what}`);
}
