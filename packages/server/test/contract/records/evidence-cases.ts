// Somebody who can write to the database and has no key: evidence that was changed is not signed, and a number is signed once.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { openReceiptProver } from '../../../src/audit/prove/prove-receipt.ts';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import {
  type Receipt,
  ReceiptRefused,
  type RefusedReceipt,
} from '../../../src/domain/receipt/receipt.ts';
import { createIssueReceipts } from '../../../src/receipts/issue-receipts.ts';
import { sealOld } from '../../audit/seal-old.ts';
import { evidence, verifierOf } from '../../receipts/facts.ts';
import { signer } from './sealing-cases.ts';
import { ACME, DAY, NOON } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const EVIDENCE = JSON.stringify(evidence());
const OTHER = JSON.stringify(
  evidence({ tables: { people: { action: 'delete', rows: 7 } }, attempts: 2 }),
);

export function describeEvidence(use: () => RecordsInUse): void {
  const verifySignature = verifierOf(signer);
  const seal = (now = NOON) => createSealAudit(use().node.auditHeads, signer)(now);
  function issuer() {
    const refused: RefusedReceipt[] = [];
    const { receipts: store, auditHeads } = use().node;
    const issue = createIssueReceipts({
      ...{ store, signer, domain: 'p.example', seal },
      openProver: () => openReceiptProver(auditHeads, verifySignature),
      refused: async (some) => void refused.push(...some),
    });
    return { ...issue, refused };
  }
  async function audit(requestNo: number, action: string, detail: object, time = NOON) {
    const { under } = use();
    await under.insert(under.newAuditRows, {
      ...{ time, actor: 'system', action, controller_id: ACME, subject_request_id: null },
      ...{ detail: JSON.stringify(detail), request_no: requestNo },
    });
  }
  /** As its last task left it. */
  async function completed(isOld = false) {
    const request = await use().records.completed();
    const { action, tables } = evidence();
    await audit(request.requestNo, 'task.erased', {
      ...{ target: 'shop', action, tables },
      ...(!isOld && { task: request.requestNo, evidence: sha256(EVIDENCE) }),
    });
    await audit(request.requestNo, 'request.completed', {});
    return request;
  }
  const change = (taskNo: number, text = OTHER) =>
    use().under.update('tasks', { task_no: taskNo }, { evidence: text });
  const read = (document: string | undefined): Receipt => JSON.parse(document ?? 'null');

  it('as the log says it is signed, with the head and the proof of the completion', async () => {
    const request = await completed();
    const issue = issuer();
    const [document] = await issue.documentsOf(request, NOON);
    expect(read(document)).toMatchObject({
      ...{ receipt_no: 1, audit_head: { version: 2, head_no: 1, tree_size: 4 } },
      audit_proof: {
        leaf_index: 3,
        entry: expect.stringContaining('"action":"request.completed"'),
      },
    });
    expect(issue.refused).toEqual([]);
  });

  it('that was changed is not signed, is told once, and stops no other receipt', async () => {
    const { node } = use();
    const changed = await completed();
    await seal();
    await change(1);
    const other = await completed();
    await seal();
    const issue = issuer();
    expect(await issue.issueSome(NOON)).toBe(false);
    expect(issue.refused).toMatchObject([
      { ...changed, reason: expect.stringContaining('task 1') },
    ]);
    expect(await node.receipts.documents(changed)).toEqual([]);
    expect(await node.receipts.documents(other)).toHaveLength(1);
    expect(await node.receipts.anyDue()).toBe(false);
    await issue.issueSome(NOON);
    await expect(issue.documentsOf(changed, NOON)).rejects.toThrow(ReceiptRefused);
    expect(issue.refused).toHaveLength(1);
    // Put back from a backup.
    await change(1, EVIDENCE);
    expect(await issue.documentsOf(changed, NOON)).toHaveLength(1);
  });

  it('that was changed together with its row is not signed, once a head covers the row', async () => {
    const { under } = use();
    const request = await completed();
    await seal();
    await change(1);
    const detail = JSON.stringify({ target: 'shop', task: 1, evidence: sha256(OTHER) });
    await under.update('audit_rows', { action: 'task.erased' }, { detail });
    await expect(issuer().documentsOf(request, NOON)).rejects.toThrow(
      'row 3 of the audit log was changed',
    );
  });

  it('that lost its row is not signed', async () => {
    const { under } = use();
    const request = await completed();
    await seal();
    await under.update('audit_rows', { action: 'task.erased' }, { request_no: 99 });
    await expect(issuer().documentsOf(request, NOON)).rejects.toThrow(
      'the audit log does not say that task 1 (shop) has ended',
    );
  });

  it('is signed under a number once: a receipt that was deleted is not made again', async () => {
    const { under, node } = use();
    const request = await completed();
    const issue = issuer();
    const [first = ''] = await issue.documentsOf(request, NOON);
    await under.remove('receipts');
    await under.update('requests', { request_no: request.requestNo }, { receipted_time: null });
    await issue.issueSome(NOON + 1);
    await expect(issue.documentsOf(request, NOON + 1)).rejects.toThrow(
      `receipt 1 was signed at 2026-11-15T12:00:00.000Z (SHA-256 ${sha256(first)}) and is not in the store any more`,
    );
    expect(await node.receipts.documents(request)).toEqual([]);
  });

  it('is not added to a receipt that was replaced', async () => {
    const { under, records } = use();
    const request = await completed();
    const issue = issuer();
    await issue.documentsOf(request, NOON);
    await under.update('receipts', { receipt_no: 1 }, { document: '{}' });
    const taskNo = await records.task(request.requestNo);
    await audit(request.requestNo, 'task.erased', { task: taskNo, evidence: sha256(EVIDENCE) });
    await under.update('requests', { request_no: request.requestNo }, { receipted_time: null });
    await expect(issue.documentsOf(request, NOON)).rejects.toThrow(
      'receipt 1 in the store is not the one that was signed',
    );
  });

  it('is not signed with another time of completion', async () => {
    const { under } = use();
    const request = await completed();
    const { requestNo: request_no } = request;
    await under.update('requests', { request_no }, { completed_time: NOON - DAY });
    await expect(issuer().documentsOf(request, NOON)).rejects.toThrow('the time of the completion');
  });

  it('can be vouched for by an operator, which the receipt says', async () => {
    const { node } = use();
    const request = await completed();
    await seal();
    await change(1);
    const by = { actor: 'operator:olga', now: NOON };
    const issue = issuer();
    await expect(issue.documentsOf(request, NOON)).rejects.toThrow(ReceiptRefused);
    expect(await node.receipts.acceptEvidence(request.requestNo, 'checked by hand', by)).toBe(1);
    const [document] = await issue.documentsOf(request, NOON);
    expect(read(document)).toMatchObject({
      accepted_evidence: [{ task: 1, by: 'operator:olga', reason: 'checked by hand' }],
      tasks: [{ attempts: 2 }],
    });
  });

  it('of a version without digests is compared with what its row says', async () => {
    const { node } = use();
    const requests = [await completed(true), await completed(true)];
    await sealOld(node.auditHeads, signer, NOON);
    await change(2);
    const [same, changed] = requests;
    const issue = issuer();
    if (same === undefined || changed === undefined) throw new Error('no requests');
    await audit(same.requestNo, 'seen.asked', {});
    expect(await issue.documentsOf(same, NOON)).toHaveLength(1);
    await expect(issue.documentsOf(changed, NOON)).rejects.toThrow('task 2 (shop) is not what');
  });

  it('without a digest is not signed where all versions write one', async () => {
    const request = await completed(true);
    await expect(issuer().documentsOf(request, NOON)).rejects.toThrow(ReceiptRefused);
  });
}
