// Whether a head or a record of a cut in the store was signed by us.
import type { AuditCut, HeadEnd, VerifySignature } from '../domain/audit/proof-ports.ts';
import { hashCut, hashOf, hex } from './chain.ts';

export function isOurHead(head: HeadEnd, verify: VerifySignature): boolean {
  return hex(hashOf(head)) === hex(head.hash) && verify(head.keyId, head.hash, head.signature);
}

/** The record is signed, and the rows were old enough to be cut. */
export function isOurCut(cut: AuditCut, verify: VerifySignature): boolean {
  return (
    verify(cut.keyId, hashCut(cut), cut.signature) && cut.headTime + cut.retentionMs <= cut.time
  );
}
