// Whether a head or a record of a cut in the store was signed by us.
import type { AuditCut, AuditTree, HeadEnd, VerifySignature } from '../domain/audit/proof-ports.ts';
import { hashCut, hashHead, hex } from './chain.ts';

/** Someone else may insert heads after ours. The sealer sets them aside; until then, this many are passed over. */
const MAX_STRANGE = 1000;

export function isOurHead(head: HeadEnd, verify: VerifySignature): boolean {
  return hex(hashHead(head)) === hex(head.hash) && verify(head.keyId, head.hash, head.signature);
}

/** The newest head that we signed. */
export async function newestOwnHead(
  tree: Pick<AuditTree, 'newestHead' | 'headsBefore'>,
  verify: VerifySignature,
): Promise<HeadEnd | undefined> {
  const isOwn = (head: HeadEnd) => isOurHead(head, verify);
  const newest = await tree.newestHead();
  if (newest === undefined || isOwn(newest)) return newest;
  return (await tree.headsBefore(newest.headNo, MAX_STRANGE)).find(isOwn);
}

/** The record is signed, and the rows were old enough to be cut. */
export function isOurCut(cut: AuditCut, verify: VerifySignature): boolean {
  return (
    verify(cut.keyId, hashCut(cut), cut.signature) && cut.headTime + cut.retentionMs <= cut.time
  );
}
