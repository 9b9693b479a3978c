// If the evidence of a request contradicts the audit log, an operator can vouch for it; the receipt says so.
import type { AuditAction } from '../../domain/audit/audit-row.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import { objectFromJson } from '../../domain/stored-json.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { findRequest } from './find-request.ts';
import type { NamedRequest } from './operate-request.ts';
import { refuseIdentitiesIn } from './refuse-identities.ts';
import type { IdentityAccess } from './request-identities.ts';

export async function acceptEvidence(
  parts: {
    readonly store: Pick<Store, 'tenants' | 'catalogue' | 'tasks' | 'receipts'>;
    readonly identities: IdentityAccess;
  },
  { id, controller }: NamedRequest,
  reason: string,
  by: Actor,
): Promise<void> {
  const { store } = parts;
  const request = await findRequest(store, id, controller);
  const requestNo = await store.receipts.dueOf(request);
  if (requestNo === undefined)
    throw new NotPossible(
      'no receipt of it is due: it is not completed, or its receipts are signed already',
    );
  await refuseIdentitiesIn({ reason }, parts, request);
  await store.receipts.acceptEvidence(requestNo, reason, by);
}

/** The reason that was given last for an action on a request. */
export async function lastReason(
  { catalogue }: Pick<Store, 'catalogue'>,
  { controllerId, subjectRequestId }: RequestKey,
  asked: AuditAction,
): Promise<unknown> {
  const rows = await catalogue.auditOf(controllerId, subjectRequestId);
  const last = rows.findLast(({ action }) => action === asked);
  return objectFromJson(last?.detail ?? '{}')?.reason;
}
