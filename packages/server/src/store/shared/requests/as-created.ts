// Whether a request is unchanged since it was received: the MAC of its creation covers what it said then.
import { type CreatedRequest, createdClaim } from '../../../domain/audit/audit-claim.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';

export interface CreatedColumns extends CreatedRequest {
  readonly createdMac: Uint8Array | null;
}

/**
 * `isNamed` (whether the identities that it was received with are present) must be unchanged, too. Requests of
 * earlier versions do not record it.
 */
export function isAsCreated(macs: RowMacs, request: CreatedColumns): boolean {
  const { isNamed, createdMac, ...said } = request;
  const isOf = (one: CreatedRequest) => macs.verify(createdClaim(one), createdMac);
  const given = isNamed === undefined ? [true, false] : [isNamed];
  return given.some((one) => isOf({ ...said, isNamed: one })) || isOf(said);
}
