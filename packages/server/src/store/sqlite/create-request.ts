import type { DatabaseSync } from 'node:sqlite';
import type { ControllerId } from '../../domain/controller-id.ts';
import type { Identity } from '../../domain/identity.ts';
import type { CreateOutcome, NewRequest, RequestKey } from '../../domain/request.ts';
import type { AppendAudit } from './audit.ts';

/** What the vault gives to the store: sealing and digesting, nothing of its keys. */
export interface IdentityProtection {
  seal(
    request: RequestKey,
    identities: readonly Identity[],
  ): { masterKeyId: string; wrappedKey: Uint8Array; sealed: Uint8Array };
  digest(controllerId: ControllerId, identity: Identity): Uint8Array;
}

export type CreateRequest = (request: NewRequest, receivedTime: number) => CreateOutcome;

export function prepareCreateRequest(
  database: DatabaseSync,
  protect: IdentityProtection,
  appendAudit: AppendAudit,
): CreateRequest {
  const insertRequest = database.prepare(`
    INSERT INTO requests
      (controller_id, subject_request_id, status, regulation, submitted_time, received_time,
       identity_count, digests)
    VALUES (?, ?, 'pending', ?, ?, ?, ?, ?)
    ON CONFLICT (controller_id, subject_request_id) DO NOTHING
  `);
  const insertSealed = database.prepare(
    'INSERT INTO sealed_identities (request_no, master_key_id, wrapped_key, sealed) VALUES (?, ?, ?, ?)',
  );
  const insertDigest = database.prepare(
    'INSERT INTO identity_digests (digest, request_no) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );

  return (request, receivedTime) => {
    const { controllerId, subjectRequestId, identities } = request;
    const digests = identities.map((identity) => protect.digest(controllerId, identity));
    const { changes, lastInsertRowid: requestNo } = insertRequest.run(
      controllerId,
      subjectRequestId,
      request.regulation,
      request.submittedTime,
      receivedTime,
      identities.length,
      digests.length === 0 ? null : Buffer.concat(digests),
    );
    if (changes === 0) return { outcome: 'exists' };

    if (identities.length > 0) {
      const { masterKeyId, wrappedKey, sealed } = protect.seal(request, identities);
      insertSealed.run(requestNo, masterKeyId, wrappedKey, sealed);
      for (const digest of digests) insertDigest.run(digest, requestNo);
    }
    appendAudit(
      {
        time: receivedTime,
        actor: request.actor,
        action: 'request.created',
        controllerId,
        subjectRequestId,
        detail: null,
      },
      requestNo,
    );
    return { outcome: 'created', receivedTime };
  };
}
