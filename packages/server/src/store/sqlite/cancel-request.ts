// Not shared: see create-request.ts.
import type { DatabaseSync } from 'node:sqlite';
import type { RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import { cancelledRow } from '../../domain/audit/audit-claim.ts';
import {
  type CancelCommand,
  type CancelOutcome,
  notCancelled,
} from '../../domain/request/request.ts';
import type { AppendAudit } from './audit.ts';
import { prepareCountDaily } from './daily-counts.ts';
import { prepareWrite } from './prepare-write.ts';

export type CancelRequest = (command: CancelCommand, receivedTime: number) => CancelOutcome;

export function prepareCancelRequest(
  database: DatabaseSync,
  appendAudit: AppendAudit,
): CancelRequest {
  // The condition decides the race against the start: exactly one of them finds `pending`.
  const cancelPending = database.prepare(`
    UPDATE requests SET status = 'cancelled', cancelled_time = ?
    WHERE controller_id = ? AND subject_request_id = ? AND status = 'pending'
    RETURNING request_no, subject_request_id, received_time
  `);
  const countDaily = prepareCountDaily(database);
  // Deleting the wrapped key shreds the sealed identities.
  const shredIdentities = prepareWrite(
    database,
    'DELETE FROM sealed_identities WHERE request_no = ?',
  );
  const shredAdded = prepareWrite(database, 'DELETE FROM added_identities WHERE request_no = ?');
  const shredDigests = prepareWrite(database, 'DELETE FROM identity_digests WHERE request_no = ?');
  const readStatus = database.prepare(
    'SELECT status FROM requests WHERE controller_id = ? AND subject_request_id = ?',
  );

  return ({ controllerId, subjectRequestId, actor }, receivedTime) => {
    const row = cancelPending.get(receivedTime, controllerId, subjectRequestId) as
      | { request_no: number; subject_request_id: SubjectRequestId; received_time: number }
      | undefined;
    if (row === undefined) {
      const found = readStatus.get(controllerId, subjectRequestId) as
        | { status: RequestStatus }
        | undefined;
      return notCancelled(found?.status);
    }
    shredIdentities.run(row.request_no);
    shredAdded.run(row.request_no);
    shredDigests.run(row.request_no);
    countDaily('cancelled', controllerId, 1, receivedTime);
    const { subject_request_id: id, received_time: requestTime } = row;
    const cancelled = cancelledRow({ controllerId, subjectRequestId: id, actor }, receivedTime);
    appendAudit(cancelled, row.request_no);
    return { outcome: 'cancelled', receivedTime, subjectRequestId: id, requestTime };
  };
}
