// Somebody who can write to the database and has no key: a row that we did not write is never a leaf of the tree, whatever it
// says and however well it is numbered.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { openReceiptProver } from '../../../src/audit/prove/prove-receipt.ts';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import { ReceiptRefused } from '../../../src/domain/receipt/receipt.ts';
import { createIssueReceipts } from '../../../src/receipts/issue-receipts.ts';
import { evidence, verifierOf } from '../../receipts/facts.ts';
import { signer, verify } from './sealing-cases.ts';
import { ACME, NOON } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const CLIENT = { clientId: 'a', controllerId: ACME, name: null, createdTime: 0, revokedTime: null };
const FORGED = { time: NOON, actor: 'eve', action: 'task.erased' };

export function describeForgedRows(use: () => RecordsInUse): void {
  const write = (time: number) => use().node.tenantWriter.recordToken(CLIENT, time, 'system');
  const seal = (now = NOON) => createSealAudit(use().node.auditHeads, signer)(now);
  const forge = (mac: Uint8Array | null) => {
    const { under } = use();
    return under.insert(under.newAuditRows, { ...FORGED, mac });
  };
  const rows = () => use().node.auditHeads.rows(1, 999);

  it('the verification names a row of ours that lost its MAC', async () => {
    const { node, under } = use();
    await write(NOON + 1);
    await write(NOON + 2);
    await seal();
    expect((await verify(node)).problems).toEqual([]);
    await under.update('audit_rows', { audit_no: 3 }, { mac: null });
    expect((await verify(node)).problems).toEqual([
      'row 3 does not carry our MAC any more: somebody changed that',
    ]);
  });

  it.each([
    ['no MAC', null],
    ['a MAC of nothing', Buffer.alloc(16)],
    ['a MAC that is too short', Buffer.alloc(0)],
  ])('a row with %s is set aside, and those after it keep their order', async (_, mac) => {
    const { node } = use();
    await seal();
    await write(NOON + 1);
    await forge(mac);
    await write(NOON + 2);
    await forge(mac);
    await write(NOON + 3);
    expect(await seal()).toMatchObject({ setAside: 2, missingRows: 0 });
    await seal();
    const kept = await rows();
    expect(kept.map(({ actor }) => actor)).not.toContain('eve');
    expect(kept.map(({ auditNo }) => auditNo)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(kept.slice(2, 5).map(({ time }) => time)).toEqual([NOON + 1, NOON + 2, NOON + 3]);
    expect(await node.auditLog.setAside()).toHaveLength(2);
    expect((await verify(node)).problems).toEqual([
      'row 4 was not written by Unwrite, and was set aside',
      'row 6 was not written by Unwrite, and was set aside',
    ]);
  });

  it('a row with the MAC of another row is set aside', async () => {
    const { under } = use();
    await write(NOON);
    const [own] = (await under.rows(under.newAuditRows)).slice(-1);
    await forge(own?.mac as Uint8Array);
    expect(await seal()).toMatchObject({ setAside: 1 });
  });

  it.each([
    ['time', 1],
    ['actor', 'operator:root'],
    ['action', 'task.retained'],
    ['controller_id', 'globex'],
    ['subject_request_id', 'c0ffee'],
    ['detail', '{}'],
    ['request_no', 77],
  ])('a row whose %s was changed before a head covered it is set aside', async (column, value) => {
    const { under } = use();
    await seal();
    await write(NOON);
    await under.update(under.newAuditRows, { action: 'token.issued' }, { [column]: value });
    await write(NOON + 1);
    expect(await seal()).toMatchObject({ setAside: 1 });
  });

  it.each([1, 100, 9000])(
    'rows that were counted on from a row without a MAC, %i numbers further, get the numbers that they should have had',
    async (further) => {
      const { node, under } = use();
      await seal();
      await write(NOON + 1);
      await node.auditHeads.numberRows(99, 2);
      await under.insert('audit_rows', { ...FORGED, audit_no: 4 + further, mac: null });
      await write(NOON + 2);
      await node.auditHeads.numberRows(99, 2);
      await under.insert('audit_rows', { ...FORGED, audit_no: 6 + 2 * further, mac: null });
      await write(NOON + 3);
      expect(await seal()).toMatchObject({ setAside: 2, missingRows: 0 });
      await seal();
      const kept = await rows();
      expect(kept.map(({ auditNo }) => auditNo)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(kept.slice(2, 5).map(({ time }) => time)).toEqual([NOON + 1, NOON + 2, NOON + 3]);
      expect((await verify(node)).problems).toEqual([
        `row ${4 + further} was not written by Unwrite, and was set aside`,
        `row ${6 + 2 * further} was not written by Unwrite, and was set aside`,
      ]);
    },
  );

  it('rows are not numbered after a head that someone inserts meanwhile', async () => {
    const { node, under } = use();
    await seal();
    await write(NOON + 1);
    const { auditHeads } = node;
    const bytes = { previous_hash: Buffer.alloc(32), rows_hash: Buffer.alloc(32) };
    const signed = { hash: Buffer.alloc(32), signature: Buffer.alloc(64), key_id: signer.keyId };
    const numbers = {
      head_no: 7,
      first_audit_no: 3,
      last_audit_no: 500,
      tree_first: 1,
      time: NOON,
    };
    const slow: typeof auditHeads = {
      ...auditHeads,
      async numberRows(max, covered) {
        await under.insert('audit_heads', { ...numbers, ...bytes, ...signed });
        await auditHeads.numberRows(max, covered);
      },
    };
    expect(await createSealAudit(slow, signer)(NOON + 2)).toMatchObject({
      missingRows: 0,
      head: { headNo: 2, firstAuditNo: 3, lastAuditNo: 3 },
    });
    await write(NOON + 3);
    expect(await seal(NOON + 4)).toMatchObject({ missingRows: 0, setAside: 1 });
    expect((await verify(node)).problems).toEqual([
      'head 7 was not written by Unwrite, and was set aside',
    ]);
  });

  it('thousands are set aside, and nothing waits', async () => {
    const { under } = use();
    await seal();
    await under.insertOften(under.newAuditRows, { ...FORGED, mac: null }, 1200);
    await write(NOON);
    expect(await seal()).toMatchObject({ setAside: 1200, head: { firstAuditNo: 3 } });
  }, 60_000);

  it('evidence that is vouched for by a row without a MAC gets no receipt', async () => {
    const { under, records, node } = use();
    const { requestNo, ...request } = await records.completed();
    const digest = createHash('sha256').update(JSON.stringify(evidence())).digest('hex');
    const row = { time: NOON, actor: 'operator:root', controller_id: ACME, request_no: requestNo };
    const detail = JSON.stringify({ target: 'shop', task: 1, evidence: digest });
    const ours = { ...row, subject_request_id: request.subjectRequestId };
    await under.insert(under.newAuditRows, {
      ...ours,
      action: 'task.confirmed',
      detail,
      mac: null,
    });
    await under.insert(under.newAuditRows, { ...ours, action: 'request.completed', mac: null });
    const issue = createIssueReceipts({
      store: node.receipts,
      signer,
      domain: 'p.example',
      seal,
      openProver: (at: number) => openReceiptProver(node.auditHeads, verifierOf(signer), at),
      refused: async () => undefined,
    });
    await expect(issue.receiptsOf(request, NOON)).rejects.toThrow(ReceiptRefused);
  });
}
