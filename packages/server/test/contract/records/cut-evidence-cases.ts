// Old rows of the log are cut for their age. That does not excuse a row that somebody deleted.
import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { createCutAudit } from '../../../src/audit/cut-audit.ts';
import { openReceiptProver } from '../../../src/audit/prove/prove-receipt.ts';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import { createIssueReceipts } from '../../../src/receipts/issue-receipts.ts';
import { evidence, verifierOf } from '../../receipts/facts.ts';
import { signer } from './sealing-cases.ts';
import { ACME, DAY, NOON } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const LONG_AGO = NOON - 400 * DAY;
const RETENTION = 300 * DAY;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const PLAN = JSON.stringify([{ target: 'shop', connector: 'postgres', digest: 'abc' }]);
const PLAN_ID = sha256(PLAN).slice(0, 32);

export function describeCutEvidence(use: () => RecordsInUse): void {
  const verifySignature = verifierOf(signer);
  const seal = (now: number) => createSealAudit(use().node.auditHeads, signer)(now);
  const receiptsOf = (request: RequestKey) => {
    const { receipts: store, auditHeads } = use().node;
    return createIssueReceipts({
      store,
      signer,
      domain: 'p.example',
      seal,
      openProver: (now) => openReceiptProver(auditHeads, verifySignature, now),
      refused: async () => undefined,
    }).receiptsOf(request, NOON);
  };
  /** Received and started long ago. */
  async function request() {
    const { records, under } = use();
    const made = await records.completed({
      plan_id: PLAN_ID,
      received_time: LONG_AGO,
      started_time: LONG_AGO,
    });
    const audit = (time: number, action: string, detail: object) =>
      under.insert(under.newAuditRows, {
        time,
        actor: 'system',
        action,
        controller_id: ACME,
        request_no: made.requestNo,
        subject_request_id: made.subjectRequestId,
        detail: JSON.stringify(detail),
      });
    const start = () => audit(LONG_AGO, 'request.started', { plan: PLAN_ID, targets: ['shop'] });
    const end = (time: number) =>
      audit(time, 'task.erased', {
        target: 'shop',
        task: 1,
        evidence: sha256(JSON.stringify(evidence())),
      });
    return { ...made, start, end, complete: () => audit(NOON, 'request.completed', {}) };
  }
  async function cut() {
    await seal(LONG_AGO);
    await use().node.tenantWriter.recordToken(
      { clientId: 'a', controllerId: ACME, name: null, createdTime: 0, revokedTime: null },
      NOON,
      'system',
    );
    await seal(NOON);
    const store = use().node.auditHeads;
    const done = await createCutAudit({ store, signer, verifySignature, retentionMs: RETENTION })(
      NOON,
    );
    expect(done).toMatchObject({ rows: expect.any(Number) });
  }

  beforeEach(() =>
    use().under.insert('plans', { plan_id: PLAN_ID, targets: PLAN, created_time: NOON }),
  );

  it('a task that ended before the cut, of a request that completed after it, gets its receipt', async () => {
    const old = await request();
    await old.start();
    await old.end(LONG_AGO);
    await cut();
    await old.complete();
    expect(await receiptsOf(old)).toHaveLength(1);
  });

  it('an end after the cut that was deleted, with evidence that claims to be older, gets none', async () => {
    const { under } = use();
    const old = await request();
    await old.start();
    await cut();
    await old.end(NOON);
    await old.complete();
    await seal(NOON);
    const forged = evidence({ finished_time: new Date(LONG_AGO).toISOString(), attempts: 4242 });
    await under.update('tasks', { task_no: 1 }, { evidence: JSON.stringify(forged) });
    await under.removeRow('audit_rows', { action: 'task.erased' });
    await expect(receiptsOf(old)).rejects.toThrow(
      /rows of the audit log from \d+ on were changed or removed/,
    );
  });

  it('a cut does not explain a missing row that was assigned to another request', async () => {
    const { under } = use();
    const old = await request();
    await old.start();
    await cut();
    await old.end(NOON);
    await old.complete();
    await seal(NOON);
    await under.update('audit_rows', { action: 'task.erased' }, { request_no: 99 });
    await expect(receiptsOf(old)).rejects.toThrow(/rows of the audit log from \d+ on were changed/);
  });
}
