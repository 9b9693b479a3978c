// The stored text of evidence, and its digest, which is in the audit row of the end of its task. A receipt is
// signed only if the two agree.
import { hash } from 'node:crypto';
import type { Evidence } from '../../../domain/task/task.ts';
import { storedJson } from '../../stored-text.ts';

export const evidenceText = (evidence: Evidence | object): string => storedJson(evidence);

export function digestEvidence(text: string): string {
  return hash('sha256', text, 'hex');
}
