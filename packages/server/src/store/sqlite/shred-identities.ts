// What opens the identities of a completed request is deleted: what was sealed is noise from then on.
import type { DatabaseSync } from 'node:sqlite';
import type { RequestKey } from '../../domain/request.ts';
import type { AppendAudit } from './audit.ts';

const DUE = `status = 'completed' AND shredded_time IS NULL AND again_asked_time IS NULL
  AND completed_time <= ?`;

export function prepareAnyToShred(database: DatabaseSync) {
  const select = database.prepare(`SELECT 1 FROM requests WHERE ${DUE} LIMIT 1`);
  return (completedUntil: number): boolean => select.get(completedUntil) !== undefined;
}

/** Inside the caller's transaction. */
export function prepareShred(database: DatabaseSync, appendAudit: AppendAudit) {
  const select = database.prepare(`
    SELECT request_no AS requestNo, controller_id AS controllerId,
           subject_request_id AS subjectRequestId
    FROM requests WHERE ${DUE} ORDER BY completed_time LIMIT ?
  `);
  const shred = prepareDeleteSealed(database);
  const mark = database.prepare('UPDATE requests SET shredded_time = ? WHERE request_no = ?');

  return (completedUntil: number, most: number, now: number): number => {
    const rows = select.all(completedUntil, most) as unknown as (RequestKey & {
      requestNo: number;
    })[];
    for (const { requestNo, controllerId, subjectRequestId } of rows) {
      shred(requestNo);
      mark.run(now, requestNo);
      const action = 'request.shredded';
      appendAudit(
        { time: now, actor: 'system', action, controllerId, subjectRequestId, detail: null },
        requestNo,
      );
    }
    return rows.length;
  };
}

export function prepareDeleteSealed(database: DatabaseSync) {
  const deletes = [
    'DELETE FROM sealed_identities WHERE request_no = ?',
    'DELETE FROM added_identities WHERE request_no = ?',
    'DELETE FROM intents WHERE task_no IN (SELECT task_no FROM tasks WHERE request_no = ?)',
  ].map((sql) => database.prepare(sql));
  return (requestNo: number): void => {
    for (const statement of deletes) statement.run(requestNo);
  };
}
