// Somebody who can write to the database and has no key: receipts of others are neither given out nor built upon, and what cannot
// be read stops its own request alone.
import { expect, it } from 'vitest';
import { ReceiptRefused } from '../../../src/domain/receipt/receipt.ts';
import { NOON } from './under-test.ts';
import { type Completed, EVIDENCE, PLAN_ID, sha256, useEvidence } from './use-evidence.ts';
import type { RecordsInUse } from './use-records.ts';

export function describeForgedReceipts(use: () => RecordsInUse): void {
  const { seal, issuer, audit, completed } = useEvidence(use);
  const insert = ({ requestNo: request_no }: Completed, receipt_no: number, last_task_no = 0) =>
    use().under.insert('receipts', {
      request_no,
      receipt_no,
      last_task_no,
      created_time: 0,
      document: '{"forged":true}',
      full_document: '{"forged":true}',
    });
  const refusal = (request: Completed) => expect(issuer().receiptsOf(request, NOON)).rejects;

  it('are not given out if they were changed', async () => {
    const { under, node } = use();
    const request = await completed();
    const [receipt] = await issuer().receiptsOf(request, NOON);
    if (receipt === undefined) throw new Error('there is no receipt');
    const { document, fullDocument } = receipt;
    expect(await node.receipts.given(request)).toMatchObject([{ document, fullDocument }]);
    for (const [column, text] of Object.entries({ document, full_document: fullDocument })) {
      const changed = text.replace('"rows_deleted": 2', '"rows_deleted": 0');
      expect(changed).not.toBe(text);
      await under.update('receipts', { receipt_no: 1 }, { [column]: changed });
      await expect(node.receipts.given(request)).rejects.toThrow(ReceiptRefused);
      await under.update('receipts', { receipt_no: 1 }, { [column]: text });
    }
    await under.removeRow('receipts', { receipt_no: 1 });
    await expect(node.receipts.given(request)).rejects.toThrow(
      'receipt 1 was signed and is missing in the store',
    );
  });

  it.each([1, 7])(
    'a receipt that was inserted as number %d does not count before an addendum',
    async (no) => {
      const request = await completed();
      await insert(request, no, 1);
      await refusal(request).toThrow(`receipt ${no} in the store was never signed`);
      await expect(use().node.receipts.given(request)).rejects.toThrow(ReceiptRefused);
    },
  );

  it('cover the tasks that they state, whatever their column in the database says', async () => {
    const { under, records } = use();
    const request = await completed();
    const issue = issuer();
    await issue.receiptsOf(request, NOON);
    const taskNo = await records.task(request.requestNo, { target: 'attic' });
    await audit(request, 'request.erase_again_asked', { target: 'attic' });
    const detail = { target: 'attic', task: taskNo, evidence: sha256(EVIDENCE) };
    await audit(request, 'task.erased', detail);
    await under.update('receipts', { receipt_no: 1 }, { last_task_no: taskNo });
    await under.update('requests', { request_no: request.requestNo }, { receipted_time: null });
    const [, addendum] = await issue.receiptsOf(request, NOON);
    expect(JSON.parse(addendum?.fullDocument ?? '{}').tasks).toMatchObject([
      { task: taskNo, target: 'attic' },
    ]);
  });

  it('are made even if one was marked as made before', async () => {
    const { under } = use();
    const request = await completed();
    await under.update('requests', { request_no: request.requestNo }, { receipted_time: 1 });
    expect(await issuer().receiptsOf(request, NOON)).toHaveLength(1);
  });

  it.each([
    [
      'evidence',
      (taskNo: number) => use().under.update('tasks', { task_no: taskNo }, { evidence: '{bad' }),
    ],
    [
      'evidence',
      (taskNo: number) => use().under.update('tasks', { task_no: taskNo }, { evidence: 'null' }),
    ],
    [
      'evidence',
      (taskNo: number) =>
        use().under.update(
          'tasks',
          { task_no: taskNo },
          { evidence: '{"action":"erased","tables":{"a":1}}' },
        ),
    ],
    ['plan', () => use().under.update('plans', { plan_id: PLAN_ID }, { targets: '{bad' })],
  ])('one receipt is refused if the %s cannot be read, and no other', async (what, damage) => {
    const { node, under } = use();
    const request = await completed();
    await under.insert('plans', { plan_id: 'other', targets: '[]', created_time: NOON });
    const other = await use().records.completed({ plan_id: 'other' });
    await seal();
    await damage(1);
    const issue = issuer();
    await issue.issueSome(NOON);
    const byNumber = issue.refused.toSorted((a, b) => a.requestNo - b.requestNo);
    expect(byNumber).toMatchObject([{ ...request, reason: expect.stringContaining(what) }, other]);
    expect(await node.receipts.anyDue()).toBe(false);
  });

  it('are not signed with another run of a target than the log has', async () => {
    const request = await completed();
    await seal();
    await use().under.update('tasks', { task_no: 1 }, { run: 7 });
    await refusal(request).toThrow('is run 1 by the audit log, not run 7');
  });

  it('are not signed for a request whose number was changed', async () => {
    const { under } = use();
    const request = await completed();
    await seal();
    await under.removeRow('tasks', { task_no: 1 });
    await under.update('requests', { request_no: request.requestNo }, { request_no: 600_000 });
    await use().records.task(600_000);
    await refusal({ ...request, requestNo: 600_000 }).toThrow('its controller, id, number');
  });

  it('are not signed if a run for added identities has no task any more', async () => {
    const request = await completed();
    const detail = { identities: 'ab', again: ['shop'] };
    await audit(request, 'request.identified', detail);
    await refusal(request).toThrow(
      'identities were added after the request was erased from shop, and there is no task for them',
    );
  });
}
