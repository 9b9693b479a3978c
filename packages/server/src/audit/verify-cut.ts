// Verifies the record of rows that were cut because of their age: it must be signed and match the head that it
// names.
import type { AuditCut, AuditHead, VerifySignature } from '../domain/audit/proof-ports.ts';
import { isOurCut } from './authentic.ts';
import { hex } from './chain.ts';
import type { VerifiableChain } from './verifiable-chain.ts';

export async function checkCut(
  chain: VerifiableChain,
  verifySignature: VerifySignature,
  now: number,
): Promise<{ readonly cut: AuditCut | undefined; readonly problems: string[] }> {
  const cut = await chain.cut();
  if (cut === undefined) return { cut, problems: [] };
  if (isOurCut(cut, verifySignature)) return { cut, problems: datedAhead(cut, now) };
  const problem = `the record that rows up to head ${cut.headNo} were cut was not signed with the given key, or was changed`;
  return { cut: undefined, problems: [problem] };
}

/** Allowed difference between the clocks of two machines. */
const TOLERANCE_MS = 600_000;

/** The record is dated in the future: the clock was ahead then, or is behind now. */
function datedAhead({ headNo, headTime, retentionMs, time }: AuditCut, now: number): string[] {
  if (time <= now + TOLERANCE_MS) return [];
  const said = `rows up to head ${headNo} were cut by a record that is dated in the future, ${new Date(time).toISOString()}: the clock was wrong`;
  const isYounger = headTime + retentionMs > now;
  return [isYounger ? `${said}, and they were younger than what was to be cut` : said];
}

export function fitsCut({ headNo, headHash, lastAuditNo, headTime }: AuditCut, head: AuditHead) {
  if (head.headNo !== headNo) return true;
  return (
    hex(headHash) === hex(head.hash) && lastAuditNo === head.lastAuditNo && headTime === head.time
  );
}
