import { expect, it } from 'vitest';
import type { FullReceipt } from '../../../src/domain/receipt/documents.ts';
import type { GivenReceipt } from '../../../src/domain/receipt/receipt.ts';
import { createIssueReceipts } from '../../../src/receipts/issue-receipts.ts';
import { makeSigner, receiptTexts, TRUSTING } from '../../receipts/facts.ts';
import { ACME, GLOBEX, NOON, type RecordsNode } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const signer = makeSigner();
const issueOf = ({ receipts: store }: RecordsNode) =>
  createIssueReceipts({ store, signer, domain: 'p.example', ...TRUSTING });

export function describeReceipts(use: () => RecordsInUse): void {
  const read = (receipt: GivenReceipt | undefined): FullReceipt =>
    JSON.parse(receipt?.fullDocument ?? 'null');

  it('are due only for completed requests, and made once', async () => {
    const { node, other, records } = use();
    for (const status of ['pending', 'in_progress', 'cancelled']) await records.request({ status });
    expect(await node.receipts.anyDue()).toBe(false);
    const request = await records.completed();
    expect(await node.receipts.anyDue()).toBe(true);
    expect(await node.receipts.due(10)).toEqual([request.requestNo]);
    expect(await node.receipts.dueOf(request)).toBe(request.requestNo);
    expect(await issueOf(node).issueSome(NOON)).toBe(false);
    expect(await other.receipts.anyDue()).toBe(false);
    expect(await other.receipts.dueOf(request)).toBeUndefined();
    const receipts = await other.receipts.given(request);
    expect(receipts.map((it) => read(it).receipt_no)).toEqual([1]);
    expect(await issueOf(other).receiptsOf(request, NOON + 1)).toEqual(receipts);
    const { subjectRequestId } = request;
    expect(await node.receipts.given({ controllerId: GLOBEX, subjectRequestId })).toEqual([]);
    const [row] = await node.auditLog.list({ action: 'receipt.signed', limit: 9 });
    expect(row).toMatchObject({ controllerId: ACME, subjectRequestId, actor: 'system' });
  });

  it('are due again if a request was marked as done and has none', async () => {
    const { node, under, records } = use();
    const [request, other] = [await records.completed(), await records.completed()];
    const pending = await records.request({ status: 'in_progress' });
    for (const { requestNo: request_no } of [request, other, pending]) {
      await under.update('requests', { request_no }, { receipted_time: NOON });
    }
    expect(await node.receipts.anyDue()).toBe(false);
    expect(await node.receipts.reopenLost(0, 1)).toBe(request.requestNo);
    expect(await node.receipts.due(10)).toEqual([request.requestNo]);
    expect(await node.receipts.reopenLost(request.requestNo, 10)).toBeUndefined();
    expect(await node.receipts.due(10)).toEqual([request.requestNo, other.requestNo]);
    await issueOf(node).issueSome(NOON);
    expect(await node.receipts.given(other)).toHaveLength(1);
    expect(await node.receipts.reopenLost(0, 10)).toBeUndefined();
    expect(await node.receipts.anyDue()).toBe(false);
  });

  it('are refused, with an alarm, for a request without tasks that the log does not list as completed', async () => {
    const { node, records } = use();
    const { requestNo } = await records.request({ status: 'completed', completed_time: NOON });
    const told: number[] = [];
    const issue = createIssueReceipts({
      store: node.receipts,
      signer,
      domain: 'p.example',
      ...TRUSTING,
      openProver: async () => async () => ({ outcome: 'refused', reason: 'it was never started' }),
      refused: async (all) => void told.push(...all.map((one) => one.requestNo)),
    });
    await issue.issueSome(NOON);
    expect(told).toEqual([requestNo]);
    expect(await node.receipts.anyDue()).toBe(false);
  });

  it('are neither due nor given to another controller that asks by the same id', async () => {
    const { node, records } = use();
    const { subjectRequestId } = await records.completed();
    const theirs = { controllerId: GLOBEX, subjectRequestId };
    expect(await node.receipts.dueOf(theirs)).toBeUndefined();
    expect(await issueOf(node).receiptsOf(theirs, NOON)).toEqual([]);
    expect(await node.receipts.anyDue()).toBe(true);
  });

  it('state what the store has recorded', async () => {
    const { node, records, under } = use();
    await under.insert('plans', {
      plan_id: 'p',
      created_time: NOON,
      targets: '[{"target":"shop","connector":"postgres","digest":"abc"}]',
    });
    const request = await records.completed({ plan_id: 'p', started_time: NOON - 1 });
    const [facts] = await node.receipts.facts([request.requestNo, 99]);
    expect(facts).toEqual({
      ...request,
      regulation: 'gdpr',
      submittedTime: '2026-11-15T11:00:00Z',
      receivedTime: NOON,
      createdBy: 'client:one',
      startedTime: NOON - 1,
      completedTime: NOON,
      previous: null,
      rows: [],
      isAsCreated: true,
      planId: 'p',
      planDigest: expect.any(String),
      plan: [{ target: 'shop', connector: 'postgres', digest: 'abc' }],
      tasks: [
        {
          taskNo: 1,
          target: 'shop',
          run: 1,
          evidence: expect.anything(),
          digest: expect.any(String),
        },
      ],
    });
    expect(await node.receipts.facts([])).toEqual([]);
  });

  it('are never replaced, and have one row in the audit log', async () => {
    const { node, other, records } = use();
    const requests = await Promise.all(Array.from({ length: 20 }, () => records.completed()));
    const times = [NOON + 1, NOON + 2, NOON + 3, NOON + 4];
    await Promise.all(
      times.map((now, index) => issueOf(index % 2 === 0 ? node : other).issueSome(now)),
    );
    for (const request of requests) {
      expect(await node.receipts.given(request)).toHaveLength(1);
    }
    expect(await node.auditLog.list({ action: 'receipt.signed', limit: 99 })).toHaveLength(20);
    expect(await node.receipts.anyDue()).toBe(false);
  });

  it('are read as of one moment, while another node signs', async () => {
    const { node, other, records } = use();
    for (let round = 0; round < 25; round++) {
      const { requestNo } = await records.completed();
      const signing = issueOf(node).issueSome(NOON);
      const all = await Promise.all(
        Array.from({ length: 8 }, () => other.receipts.facts([requestNo])),
      );
      await signing;
      for (const [facts] of all) {
        const isSigned = facts?.rows.some(({ action }) => action === 'receipt.signed');
        expect(isSigned).toBe(facts?.previous !== null);
      }
    }
  });

  it('are refused only if a second look says the same', async () => {
    const { node, records } = use();
    const request = await records.completed();
    let looks = 0;
    const told: unknown[] = [];
    const issue = createIssueReceipts({
      store: node.receipts,
      signer,
      domain: 'p.example',
      ...TRUSTING,
      openProver: async () =>
        ++looks === 1
          ? async () => ({ outcome: 'refused', reason: 'cut meanwhile' })
          : TRUSTING.openProver(),
      refused: async (all) => void told.push(...all),
    });
    await issue.issueSome(NOON);
    expect(await node.receipts.given(request)).toHaveLength(1);
    expect(told).toEqual([]);
  });

  it('are tried again if somebody wrote that they were refused', async () => {
    const { node, under, records } = use();
    const { requestNo } = await records.completed();
    await under.insert('refused_receipts', { request_no: requestNo, time: 1, reason: 'forged' });
    expect(await node.receipts.anyDue()).toBe(false);
    await node.receipts.reopenLost(0, 10);
    expect(await node.receipts.due(10)).toEqual([requestNo]);
  });

  it('are signed on request, even if another node sealed at that moment', async () => {
    const { node, records } = use();
    const request = await records.completed();
    let seals = 0;
    const issue = createIssueReceipts({
      store: node.receipts,
      signer,
      domain: 'p.example',
      ...TRUSTING,
      seal: async () => void seals++,
      openProver: async () =>
        seals < 2 ? async () => ({ outcome: 'not yet' }) : TRUSTING.openProver(),
    });
    expect(await issue.receiptsOf(request, NOON)).toHaveLength(1);
    expect(seals).toBe(2);
  });

  it('are not due if nothing was done, and are not asked for again', async () => {
    const { node, records } = use();
    const { requestNo } = await records.request({ status: 'completed', completed_time: NOON });
    expect(await node.receipts.due(10)).toEqual([requestNo]);
    await issueOf(node).issueSome(NOON);
    expect(await node.receipts.anyDue()).toBe(false);
  });

  it('get an addendum for what a later run did, and not before it has ended', async () => {
    const { node, under, records } = use();
    const request = await records.completed();
    const { requestNo } = request;
    const open = await records.task(requestNo, { state: 'waiting' });
    await issueOf(node).issueSome(NOON);
    expect(await node.receipts.anyDue()).toBe(false);
    const [first] = await node.receipts.given(request);
    expect(read(first).tasks.map(({ task }) => task)).toEqual([1]);
    await records.task(requestNo);
    const evidence = (await under.rows('tasks'))[0]?.evidence ?? null;
    await under.update('tasks', { task_no: open }, { state: 'erased', evidence });
    await under.update('requests', { request_no: requestNo }, { receipted_time: null });
    await issueOf(node).issueSome(NOON + 1);
    const receipts = await node.receipts.given(request);
    expect(receipts[0]).toEqual(first);
    expect(read(receipts[1])).toMatchObject({ receipt_no: 2, tasks: [{ task: 2 }, { task: 3 }] });
    expect(read(receipts[1]).previous_receipt?.receipt_no).toBe(1);
    expect(await node.receipts.anyDue()).toBe(false);
  });

  it('stay due if a task ended after they were made', async () => {
    const { node, records } = use();
    const request = await records.completed();
    const receipt = { ...request, receiptNo: 1, lastTaskNo: 1, ...receiptTexts('{}') };
    await records.task(request.requestNo);
    await node.receipts.add([receipt], NOON);
    expect(await node.receipts.due(10)).toEqual([request.requestNo]);
  });
}
