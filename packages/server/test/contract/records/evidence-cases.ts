import { expect, it } from 'vitest';
import { ReceiptRefused } from '../../../src/domain/receipt/receipt.ts';
import { DAY, NOON, type Row } from './under-test.ts';
import { type Completed, EVIDENCE, OTHER, PLAN_ID, sha256, useEvidence } from './use-evidence.ts';
import type { RecordsInUse } from './use-records.ts';

export function describeEvidence(use: () => RecordsInUse): void {
  const { seal, issuer, audit, completed, change, read } = useEvidence(use);

  it('evidence that agrees with the log is signed, with the head and the proof of the completion', async () => {
    const request = await completed();
    const issue = issuer();
    const [receipt] = await issue.receiptsOf(request, NOON);
    expect(read(receipt)).toMatchObject({
      receipt_no: 1,
      audit_head: { version: 1, head_no: 1, tree_size: 5 },
      audit_proof: {
        leaf_index: 4,
        entry: expect.stringContaining('"action":"request.completed"'),
      },
    });
    expect(issue.refused).toEqual([]);
  });

  it('is proven by the completion, even if erasing again was asked for before it was signed', async () => {
    const request = await completed();
    await audit(request, 'request.erase_again_asked', { target: 'shop' });
    const [receipt] = await issuer().receiptsOf(request, NOON);
    expect(read(receipt).audit_proof?.entry).toContain('"action":"request.completed"');
  });

  it('changed evidence is not signed, is reported once, and stops no other receipt', async () => {
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
    expect(await node.receipts.given(changed)).toEqual([]);
    expect(await node.receipts.given(other)).toHaveLength(1);
    expect(await node.receipts.anyDue()).toBe(false);
    await issue.issueSome(NOON);
    await expect(issue.receiptsOf(changed, NOON)).rejects.toThrow(ReceiptRefused);
    expect(issue.refused).toHaveLength(1);
    // Put back from a backup.
    await change(1, EVIDENCE);
    expect(await issue.receiptsOf(changed, NOON)).toHaveLength(1);
  });

  it('evidence that was changed together with its row is not signed once a head covers the row', async () => {
    const { under } = use();
    const request = await completed();
    await seal();
    await change(1);
    const detail = JSON.stringify({ target: 'shop', task: 1, evidence: sha256(OTHER) });
    await under.update('audit_rows', { action: 'task.erased' }, { detail });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow(
      'row 4 of the audit log was changed',
    );
  });

  it('evidence whose audit row is missing is not signed', async () => {
    const { under } = use();
    const request = await completed();
    await seal();
    await under.update('audit_rows', { action: 'task.erased' }, { request_no: 99 });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow(
      'the audit log does not say that task 1 (shop) has ended',
    );
  });

  it('is signed under a number once: a receipt that was deleted is not made again', async () => {
    const { under, node } = use();
    const request = await completed();
    const issue = issuer();
    const [first] = await issue.receiptsOf(request, NOON);
    await under.remove('receipts');
    await under.update('requests', { request_no: request.requestNo }, { receipted_time: null });
    await issue.issueSome(NOON + 1);
    await expect(issue.receiptsOf(request, NOON + 1)).rejects.toThrow(
      `receipt 1 was signed at 2026-11-15T12:00:00.000Z (SHA-256 ${sha256(first?.document ?? '')}) and is missing in the store`,
    );
    await expect(node.receipts.given(request)).rejects.toThrow('is missing in the store');
  });

  it('is not added to a receipt that was replaced', async () => {
    const { under, records } = use();
    const request = await completed();
    const issue = issuer();
    await issue.receiptsOf(request, NOON);
    await under.update('receipts', { receipt_no: 1 }, { document: '{}' });
    const taskNo = await records.task(request.requestNo);
    const detail = { target: 'shop', task: taskNo, evidence: sha256(EVIDENCE) };
    await audit(request, 'task.erased', detail);
    await under.update('requests', { request_no: request.requestNo }, { receipted_time: null });
    await expect(issue.receiptsOf(request, NOON)).rejects.toThrow(
      'receipt 1 in the store is not the one that was signed',
    );
  });

  it('is not signed with another time of completion', async () => {
    const { under } = use();
    const request = await completed();
    const { requestNo: request_no } = request;
    await under.update('requests', { request_no }, { completed_time: NOON - DAY });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow('the time of the completion');
  });

  it('can be vouched for by an operator, which the receipt says', async () => {
    const { node } = use();
    const request = await completed();
    await seal();
    await change(1);
    const by = { actor: 'operator:olga', now: NOON };
    const issue = issuer();
    await expect(issue.receiptsOf(request, NOON)).rejects.toThrow(ReceiptRefused);
    expect(await node.receipts.acceptEvidence(request.requestNo, 'checked by hand', by)).toBe(1);
    const [receipt] = await issue.receiptsOf(request, NOON);
    expect(read(receipt)).toMatchObject({
      accepted_evidence: [{ task: 1, by: 'operator:olga', reason: 'checked by hand' }],
      tasks: [{ attempts: 2 }],
    });
  });

  it('evidence whose audit row has no digest is not signed', async () => {
    const request = await completed(true);
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow(ReceiptRefused);
  });

  const set = (request: Completed, changes: Row) =>
    use().under.update('requests', { request_no: request.requestNo }, changes);

  it.each<[string, Row, string]>([
    ['regulation', { regulation: 'ccpa' }, 'the request was changed after it was received'],
    ['submitted_time', { submitted_time: '2020' }, 'the request was changed after it was received'],
    [
      'received_time',
      { received_time: NOON - DAY },
      'the request was changed after it was received',
    ],
    ['creator', { created_by: 'client:two' }, 'the request was changed after it was received'],
    ['MAC', { created_mac: null }, 'the request was changed after it was received'],
    ['started_time', { started_time: NOON - DAY }, 'the time of the start'],
    ['plan', { plan_id: 'another' }, 'the plan of the request'],
  ])('is not signed for a request with another %s', async (_, changes, reason) => {
    const request = await completed();
    await set(request, changes);
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow(reason);
  });

  it('is not signed if the plan was emptied', async () => {
    const request = await completed();
    await use().under.update('plans', { plan_id: PLAN_ID }, { targets: '[]' });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow('the plan of the request');
  });

  it('is not signed if a target that was planned has no task any more', async () => {
    const request = await completed();
    const targets = ['shop', 'paper'];
    await audit(request, 'request.started', { plan: PLAN_ID, targets });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow(
      'the request was to be erased from paper, and there is no task of that target',
    );
  });

  it('is not signed if the log has two ends of a task that contradict each other', async () => {
    const request = await completed();
    await audit(request, 'task.erased', { target: 'shop', task: 1, evidence: sha256(OTHER) });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow('task 1 (shop) is not what');
    await change(1);
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow('task 1 (shop) is not what');
  });

  it('is not signed for another target than the log says', async () => {
    const request = await completed();
    await use().under.update('tasks', { task_no: 1 }, { target: 'attic' });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow(ReceiptRefused);
  });

  it('is not signed if the log has no start or no completion', async () => {
    const request = await use().records.completed({ plan_id: PLAN_ID });
    await audit(request, 'task.erased', { target: 'shop', task: 1, evidence: sha256(EVIDENCE) });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow('was started');
    await audit(request, 'request.started', { plan: PLAN_ID, targets: ['shop'] });
    await expect(issuer().receiptsOf(request, NOON)).rejects.toThrow('was completed');
  });

  it.each<[string, number, Row | undefined]>([
    ['was deleted', 1, undefined],
    ['was deleted long ago', DAY, undefined],
    ['was given to another request long ago', DAY, { request_no: 99 }],
  ])('is signed once, even if the row of its signing %s', async (_, later, changes) => {
    const { under } = use();
    const request = await completed();
    await issuer().receiptsOf(request, NOON);
    await audit(request, 'seen.asked', {});
    await seal();
    await under.remove('receipts');
    const signing = { action: 'receipt.signed' };
    if (changes === undefined) await under.removeRow('audit_rows', signing);
    else await under.update('audit_rows', signing, changes);
    await set(request, { receipted_time: null });
    await expect(issuer().receiptsOf(request, NOON + later)).rejects.toThrow(
      /rows of the audit log from \d+ on (are missing|were changed)/,
    );
  });
}
