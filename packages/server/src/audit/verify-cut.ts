// The record of what was cut for its age: only as far as it is signed, and fits the head that it names.
import type { AuditCut, AuditHead, VerifySignature } from '../domain/audit/proof-ports.ts';
import { isOurCut } from './authentic.ts';
import { hex } from './chain.ts';
import type { VerifiableChain } from './verifiable-chain.ts';

export async function checkCut(
  chain: VerifiableChain,
  verifySignature: VerifySignature,
): Promise<{ readonly cut: AuditCut | undefined; readonly problems: string[] }> {
  const cut = await chain.cut();
  if (cut === undefined) return { cut, problems: [] };
  if (isOurCut(cut, verifySignature)) return { cut, problems: [] };
  const problem = `the record that rows up to head ${cut.headNo} were cut was not signed with the given key, or was changed`;
  return { cut: undefined, problems: [problem] };
}

export function fitsCut({ headNo, headHash, lastAuditNo, headTime }: AuditCut, head: AuditHead) {
  if (head.headNo !== headNo) return true;
  return (
    hex(headHash) === hex(head.hash) && lastAuditNo === head.lastAuditNo && headTime === head.time
  );
}
