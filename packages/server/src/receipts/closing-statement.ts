// The last signed statement about a controller: made anew from what is counted each time it is asked for.
import { formatTimestamp } from '@unwrite/protocol';
import type { HeadDocument } from '../domain/audit/proof-documents.ts';
import type { ProofSigner } from '../domain/audit/proof-ports.ts';
import type { ClosingFacts } from '../domain/receipt/closing.ts';
import { signDocument } from './canonical.ts';

export interface ClosingParts {
  readonly signer: ProofSigner;
  readonly domain: string;
  readonly isSandbox: boolean;
  readonly retentionMs: number;
}

export function makeClosingStatement(
  { signer, domain, isSandbox, retentionMs }: ClosingParts,
  facts: ClosingFacts,
  { document: _, ...head }: HeadDocument,
  now: number,
): string {
  const { kept, lastEndedTime } = facts;
  return signDocument(
    {
      document: 'unwrite closing statement',
      version: 1,
      processor_domain: domain,
      ...(isSandbox && { sandbox: true }),
      controller_id: facts.controllerId,
      created_time: formatTimestamp(facts.createdTime),
      closed_time: formatTimestamp(facts.closedTime),
      signed_time: formatTimestamp(now),
      requests: {
        completed: facts.completed,
        not_found_anywhere: facts.nowhere,
        cancelled: facts.cancelled,
      },
      records: {
        kept,
        until: lastEndedTime === null ? null : formatTimestamp(lastEndedTime + retentionMs),
      },
      audit_head: head,
      key_id: signer.keyId,
    },
    signer,
  );
}
