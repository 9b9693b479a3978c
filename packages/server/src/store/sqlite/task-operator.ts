import type { DatabaseSync } from 'node:sqlite';
import type { TaskOperator } from '../../domain/operator-ports.ts';
import { prepareAppendAudit } from './audit.ts';
import { prepareOperateRequests } from './operate-requests.ts';
import { prepareOperateTasks } from './operate-tasks.ts';
import { inTransaction } from './transaction.ts';

export function createTaskOperator(database: DatabaseSync): TaskOperator {
  const appendAudit = prepareAppendAudit(database);
  const requests = prepareOperateRequests(database, appendAudit);
  const tasks = prepareOperateTasks(database, appendAudit);
  const selectRequestNo = database.prepare(
    'SELECT request_no AS requestNo FROM requests WHERE controller_id = ? AND subject_request_id = ?',
  );
  const once = async <T>(work: () => T): Promise<T> => inTransaction(database, work);

  return {
    askStart: (request, by) => once(() => requests.askStart(request, by)),
    retry: (request, by) => once(() => requests.retry(request, by)),
    identify: (request, identities, by) => once(() => requests.identify(request, identities, by)),
    release: (taskNo, by) => once(() => tasks.release(taskNo, by)),
    retain: (taskNo, why, by) => once(() => tasks.retain(taskNo, why, by)),
    confirm: (taskNo, note, by) => once(() => tasks.confirm(taskNo, note, by)),
    recordPreview: (controllerId, request, { actor, now }) =>
      once(() => {
        const subjectRequestId = request?.subjectRequestId ?? null;
        const row = selectRequestNo.get(controllerId, subjectRequestId) as
          | { requestNo: number }
          | undefined;
        const action = 'preview.run';
        appendAudit(
          { time: now, actor, action, controllerId, subjectRequestId, detail: null },
          row?.requestNo,
        );
      }),
  };
}
