// What the source knows of heads, requests and restores, to be compared with the files beside it before it is copied.
import type { DatabaseSync } from 'node:sqlite';
import type { RequestKey, RequestState } from '../../domain/request/request.ts';
import type { RecordedHead, Restore } from '../../domain/store/restore.ts';

export interface SourceMemory {
  head(headNo: number): RecordedHead | undefined;
  request(key: RequestKey): Pick<RequestState, 'status' | 'receivedTime'> | undefined;
  /** As they are stored: the nodes of the copy check whether an operator has confirmed them. */
  restores(): Restore[];
}

export function sourceMemory(database: DatabaseSync): SourceMemory {
  const one = <T>(text: string, ...values: (string | number)[]) =>
    database.prepare(text).get(...values) as T | undefined;
  return {
    head: (headNo) =>
      one(
        'SELECT head_no AS headNo, lower(hex(hash)) AS hash, time FROM audit_heads WHERE head_no = ?',
        headNo,
      ),
    request: ({ controllerId, subjectRequestId }) =>
      one(
        `SELECT status, received_time AS receivedTime FROM requests
         WHERE controller_id = ? AND subject_request_id = ?`,
        controllerId,
        subjectRequestId,
      ),
    restores: () =>
      database
        .prepare(
          `SELECT restore_no AS restoreNo, detected_time AS detectedTime, detected_by AS detectedBy, reason,
                  last_head_no AS lastHeadNo, reviewed_time AS reviewedTime, confirmed_time AS confirmedTime
           FROM restores ORDER BY restore_no`,
        )
        .all() as unknown as Restore[],
  };
}
