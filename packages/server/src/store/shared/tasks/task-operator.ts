import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { TaskOperator } from '../../../domain/task/operator-ports.ts';
import type { Database } from '../../sql.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { askStart, cancel, extend, identify, retry } from '../requests/operate-requests.ts';
import { findRequestNo } from '../requests/read-request.ts';
import { confirm, release, retain } from './operate-tasks.ts';

export function createTaskOperator(database: Database, macs: RowMacs): TaskOperator {
  const once = database.transaction;
  return {
    askStart: (request, by) => once((sql) => askStart(sql, request, by)),
    cancel: (request, reason, by) => once((sql) => cancel(sql, request, reason, by)),
    extend: (request, extension, by) => once((sql) => extend(sql, request, extension, by)),
    retry: (request, by) => once((sql) => retry(sql, request, by)),
    identify: (request, identities, by) => once((sql) => identify(sql, request, identities, by)),
    release: (taskNo, by) => once((sql) => release(sql, macs, taskNo, by)),
    retain: (taskNo, why, by) => once((sql) => retain(sql, taskNo, why, by)),
    confirm: (taskNo, note, by) => once((sql) => confirm(sql, taskNo, note, by)),
    recordPreview: (controllerId, request, { actor, now }) =>
      once(async (sql) => {
        const subjectRequestId = request?.subjectRequestId ?? null;
        const requestNo = request && (await findRequestNo(sql, request));
        const entry = { time: now, actor, action: 'preview.run', controllerId } as const;
        await appendAudit(sql, [
          { ...entry, subjectRequestId, detail: null, requestNo: requestNo ?? null },
        ]);
      }),
    recordReveal: (request, detail, { actor, now }) =>
      once(async (sql) => {
        const requestNo = (await findRequestNo(sql, request)) ?? null;
        const { controllerId, subjectRequestId } = request;
        const entry = { time: now, actor, action: 'identity.revealed', requestNo } as const;
        await appendAudit(sql, [
          { ...entry, controllerId, subjectRequestId, detail: JSON.stringify(detail) },
        ]);
      }),
  };
}
