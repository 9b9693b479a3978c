// Whether a request is as it was received: what it said then is under the MAC of its creation.
import { type CreatedRequest, createdClaim } from '../../../domain/audit/audit-claim.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';

export interface CreatedColumns extends CreatedRequest {
  readonly createdMac: Uint8Array | null;
}

/**
 * With `isNamed`, which is whether the identities that it was received with are there, that must be as it was, too. Requests of
 * earlier versions do not say it.
 */
export function isAsCreated(macs: RowMacs, request: CreatedColumns): boolean {
  const { isNamed, createdMac, ...said } = request;
  const given = isNamed === undefined ? [true, false] : [isNamed];
  return [...given.map((one) => ({ ...said, isNamed: one })), said].some((one) =>
    macs.isOf(createdClaim(one), createdMac),
  );
}
