// A completed request whose evidence the audit log has, and what signs its receipt.
import { createHash } from 'node:crypto';
import { beforeEach } from 'vitest';
import { openReceiptProver } from '../../../src/audit/prove/prove-receipt.ts';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import type { FullReceipt } from '../../../src/domain/receipt/documents.ts';
import type { GivenReceipt, RefusedReceipt } from '../../../src/domain/receipt/receipt.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import { createIssueReceipts } from '../../../src/receipts/issue-receipts.ts';
import { evidence, verifierOf } from '../../receipts/facts.ts';
import { signer } from './sealing-cases.ts';
import { ACME, NOON } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
export const EVIDENCE = JSON.stringify(evidence());
export const OTHER = JSON.stringify(
  evidence({ tables: { people: { action: 'delete', rows: 7 } }, attempts: 2 }),
);

const PLAN = JSON.stringify([{ target: 'shop', connector: 'postgres', digest: 'abc' }]);
export const PLAN_ID = sha256(PLAN).slice(0, 32);

export type Completed = RequestKey & { readonly requestNo: number };

export function useEvidence(use: () => RecordsInUse) {
  const verifySignature = verifierOf(signer);
  beforeEach(() =>
    use().under.insert('plans', { plan_id: PLAN_ID, targets: PLAN, created_time: NOON }),
  );
  const seal = (now = NOON) => createSealAudit(use().node.auditHeads, signer)(now);
  function issuer() {
    const refused: RefusedReceipt[] = [];
    const { receipts: store, auditHeads } = use().node;
    const issue = createIssueReceipts({
      store,
      signer,
      domain: 'p.example',
      seal,
      openProver: (at: number) => openReceiptProver(auditHeads, verifySignature, at),
      refused: async (some) => void refused.push(...some),
    });
    return { ...issue, refused };
  }
  async function audit(request: Completed, action: string, detail: object, time = NOON) {
    const { under } = use();
    const { requestNo: request_no, subjectRequestId: subject_request_id } = request;
    await under.insert(under.newAuditRows, {
      time,
      actor: 'system',
      action,
      controller_id: ACME,
      subject_request_id,
      detail: JSON.stringify(detail),
      request_no,
    });
  }
  /** As its last task left it. */
  async function completed(isOld = false) {
    const request = await use().records.completed({ plan_id: PLAN_ID });
    await audit(request, 'request.started', { plan: PLAN_ID, targets: ['shop'] });
    const { action, tables } = evidence();
    await audit(request, 'task.erased', {
      target: 'shop',
      action,
      tables,
      ...(!isOld && { task: request.requestNo, evidence: sha256(EVIDENCE) }),
    });
    await audit(request, 'request.completed', {});
    return request;
  }
  const change = (taskNo: number, text = OTHER) =>
    use().under.update('tasks', { task_no: taskNo }, { evidence: text });
  const read = (receipt: GivenReceipt | undefined): FullReceipt =>
    JSON.parse(receipt?.fullDocument ?? 'null');

  return { seal, issuer, audit, completed, change, read };
}
