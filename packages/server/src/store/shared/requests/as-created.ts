// Whether a request is unchanged since it was received: the MAC of its creation covers what it said then.
import { type CreatedRequest, createdClaim } from '../../../domain/audit/audit-claim.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';

export interface CreatedColumns extends CreatedRequest {
  readonly createdMac: Uint8Array | null;
}

/** All of CreatedColumns except `isNamed`, from @requests. */
export const CREATED_COLUMNS = `controller_id AS "controllerId",
  subject_request_id AS "subjectRequestId", regulation, submitted_time AS "submittedTime",
  received_time AS "receivedTime", created_by AS "createdBy", created_mac AS "createdMac"`;

/**
 * `isNamed` (whether the identities that it was received with are present) must be unchanged, too. Undefined:
 * not compared.
 */
export function isAsCreated(macs: RowMacs, request: CreatedColumns): boolean {
  const { isNamed, createdMac, ...said } = request;
  const given = isNamed === undefined ? [true, false] : [isNamed];
  return given.some((one) => macs.verify(createdClaim({ ...said, isNamed: one }), createdMac));
}
