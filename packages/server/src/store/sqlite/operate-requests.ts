// What operators do to whole requests: start now, retry now, say who is meant.
import type { DatabaseSync } from 'node:sqlite';
import type { RequestStatus } from '@unwrite/protocol';
import type { AuditAction } from '../../domain/audit-row.ts';
import { type Actor, NotPossible, type TaskOperator } from '../../domain/operator-ports.ts';
import type { RequestKey } from '../../domain/request.ts';
import type { AppendAudit } from './audit.ts';

interface RequestRow extends RequestKey {
  readonly requestNo: number;
  readonly status: RequestStatus;
}

type Identified = Parameters<TaskOperator['identify']>[1];

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
    WHERE request_no = :requestNo AND state IN ('waiting', 'failed') AND due_time IS NOT NULL
  `);
  const probe = database.prepare(`
    UPDATE circuits SET probe_time = :now
    WHERE target IN (SELECT target FROM tasks WHERE request_no = :requestNo AND state <> 'erased')
  `);
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
      if (request.status !== 'in_progress')
        throw notIn(request, 'retried; only those in progress are');
      const { requestNo } = request;
      const { changes } = retry.run({ requestNo, now: by.now });
      probe.run({ requestNo, now: by.now });
      audit(request, 'request.retried', by);
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

function prepareAddIdentities(database: DatabaseSync) {
  const insert = database.prepare(`
    INSERT INTO added_identities (request_no, source, master_key_id, wrapped_key, sealed)
    VALUES (:requestNo, :source, :masterKeyId, :wrappedKey, :sealed)
  `);
  const insertDigest = database.prepare(
    'INSERT INTO identity_digests (digest, request_no) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const count = database.prepare(
    'UPDATE requests SET identity_count = identity_count + ? WHERE request_no = ?',
  );
  const namesNobody = database.prepare(
    'SELECT identity_count = 0 AS nobody FROM requests WHERE request_no = ?',
  );
  const dropTasks = database.prepare("DELETE FROM tasks WHERE request_no = ? AND state = 'held'");
  const planAnew = database.prepare('UPDATE requests SET plan_id = NULL WHERE request_no = ?');
  const runAgain = database.prepare(`
    INSERT INTO tasks
      (request_no, target, run, connector, phase, state, due_time, reason, detail, changed_time)
    SELECT request_no, target, run + 1, connector, 'erase',
           iif(connector = 'manual', 'held', 'waiting'), iif(connector = 'manual', NULL, :now),
           iif(connector = 'manual', 'manual', NULL),
           iif(connector = 'manual', 'identities were added: a person has to look again', NULL), :now
    FROM tasks AS done
    WHERE request_no = :requestNo AND state IN ('erased', 'running')
      AND run = (SELECT max(run) FROM tasks WHERE request_no = :requestNo AND target = done.target)
  `);
  const goOn = database.prepare(`
    UPDATE tasks SET state = 'waiting', due_time = :now, reason = NULL, detail = NULL
    WHERE request_no = :requestNo AND state = 'held' AND reason = 'no_usable_identity'
  `);

  return (
    requestNo: number,
    { sealed, digests }: Identified,
    by: Actor,
    started: boolean,
  ): void => {
    const { masterKeyId, wrappedKey } = sealed;
    const { actor: source, now } = by;
    insert.run({ requestNo, source, masterKeyId, wrappedKey, sealed: sealed.sealed });
    const nobody = namesNobody.get(requestNo)?.nobody === 1;
    count.run(digests.length, requestNo);
    if (!started) return;
    for (const digest of digests) insertDigest.run(digest, requestNo);
    if (nobody) {
      dropTasks.run(requestNo);
      planAnew.run(requestNo);
      return;
    }
    runAgain.run({ requestNo, now });
    goOn.run({ requestNo, now });
  };
}
