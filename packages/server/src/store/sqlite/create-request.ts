// Not shared: this is the hot path. A create is three prepared statements, synchronous, in the transaction of
// the writer thread; on PostgreSQL a whole batch is one statement.
import type { DatabaseSync } from 'node:sqlite';
import { auditClaim, createdRow } from '../../domain/audit/audit-claim.ts';
import type { RowAuthenticator } from '../../domain/keys/row-macs.ts';
import type { CreateOutcome, NewRequest } from '../../domain/request/request.ts';
import type { SealIdentities } from '../write-ops.ts';
import type { AppendAudit } from './audit.ts';
import { prepareWrite } from './prepare-write.ts';

/** Larger numbers are not ours. */
const MAX_NUMBER = 2 ** 50;

export type CreateRequest = (request: NewRequest, receivedTime: number) => CreateOutcome;

export function prepareCreateRequest(
  database: DatabaseSync,
  seal: SealIdentities,
  appendAudit: AppendAudit,
  { macOf }: Pick<RowAuthenticator, 'macOf'>,
): CreateRequest {
  const insertRequest = prepareWrite(
    database,
    `
    INSERT INTO requests
      (request_no, controller_id, subject_request_id, status, regulation, submitted_time, received_time,
       created_by, identity_count, created_mac)
    VALUES (max(?, coalesce((SELECT max(request_no) FROM requests), 0)) + 1,
       ?, ?, 'pending', ?, ?, ?, ?, ?, ?)
    ON CONFLICT (controller_id, subject_request_id) DO NOTHING
  `,
  );
  const insertSealed = prepareWrite(
    database,
    'INSERT INTO sealed_identities (request_no, master_key_id, wrapped_key, sealed) VALUES (?, ?, ?, ?)',
  );

  let lastNo = lastLoggedNumber(database);

  return (request, receivedTime) => {
    const { controllerId, subjectRequestId, regulation, submittedTime, identities, actor } =
      request;
    const created = createdRow(request, receivedTime);
    const mac = macOf(auditClaim(created));
    const { changes, lastInsertRowid: requestNo } = insertRequest.run(
      lastNo,
      controllerId,
      subjectRequestId,
      regulation,
      submittedTime,
      receivedTime,
      actor,
      identities.length,
      mac,
    );
    if (Number(changes) === 0) return { outcome: 'exists' };
    lastNo = Number(requestNo);

    if (identities.length > 0) {
      const { masterKeyId, wrappedKey, sealed } = seal(request, identities);
      insertSealed.run(requestNo, masterKeyId, wrappedKey, sealed);
    }
    appendAudit(created, requestNo, mac);
    return { outcome: 'created', receivedTime };
  };
}

/** A number that still has rows in the audit log is not assigned again, even if its request has been forgotten. */
function lastLoggedNumber(database: DatabaseSync): number {
  const row = database
    .prepare(
      `SELECT request_no AS "no" FROM audit_rows
       WHERE action = 'request.created' AND request_no < ${MAX_NUMBER}
       ORDER BY audit_no DESC LIMIT 1`,
    )
    .get();
  return Number(row?.no ?? 0);
}
