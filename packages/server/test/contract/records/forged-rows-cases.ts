// Somebody who can write to the database and has no key: a row that we did not write is never a leaf of the tree, whatever it
// says and however well it is numbered.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { openReceiptProver } from '../../../src/audit/prove/prove-receipt.ts';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import { ReceiptRefused } from '../../../src/domain/receipt/receipt.ts';
import { createIssueReceipts } from '../../../src/receipts/issue-receipts.ts';
import { evidence, verifierOf } from '../../receipts/facts.ts';
import { acceptAll, signer, verify } from './sealing-cases.ts';
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
  const accept = () => acceptAll(use().node);
  const rows = () => use().node.auditHeads.rows(1, 999);

  it('the verification names a row of ours that lost its MAC', async () => {
    const { node, under } = use();
    await write(NOON + 1);
    await write(NOON + 2);
    await seal();
    expect((await verify(node)).problems).toEqual([]);
    await under.update('audit_rows', { audit_no: 3 }, { mac: null });
    expect((await verify(node)).problems).toEqual([
      'row 3 does not carry our MAC: it was not written by Unwrite, or was changed',
    ]);
  });

  it.each([
    ['no MAC', null],
    ['a MAC of nothing', Buffer.alloc(16)],
    ['a MAC that is too short', Buffer.alloc(0)],
  ])('a row with %s is not covered, and is named until somebody accepts it', async (_, mac) => {
    const { node } = use();
    await seal();
    await write(NOON + 1);
    await forge(mac);
    await write(NOON + 2);
    expect(await seal()).toMatchObject({ foreign: [4], head: { lastAuditNo: 5 } });
    const named = 'row 4 was not written by Unwrite, or was changed before head 2 was made';
    expect((await verify(node)).problems).toEqual([named]);
    const { deleted } = await accept();
    expect(deleted.map(({ actor }) => actor)).toEqual(['eve']);
    expect((await rows()).map(({ actor }) => actor)).not.toContain('eve');
    expect(await verify(node)).toMatchObject({
      problems: [],
      accepted: ['row 4 was removed before head 2 was made'],
    });
  });

  it('a row with the MAC of another row is not covered', async () => {
    const { under } = use();
    await write(NOON);
    const [own] = (await under.rows(under.newAuditRows)).slice(-1);
    await forge(own?.mac as Uint8Array);
    expect(await seal()).toMatchObject({ foreign: [4] });
  });

  it.each([
    ['time', 1],
    ['actor', 'operator:root'],
    ['action', 'task.retained'],
    ['controller_id', 'globex'],
    ['subject_request_id', 'c0ffee'],
    ['detail', '{}'],
    ['request_no', 77],
  ])(
    'a row whose %s was changed before a head covered it is not covered',
    async (column, value) => {
      const { under } = use();
      await seal();
      await write(NOON);
      await under.update(under.newAuditRows, { action: 'token.issued' }, { [column]: value });
      await write(NOON + 1);
      expect(await seal()).toMatchObject({ foreign: [3] });
    },
  );

  it('thousands are passed over, and nothing waits', async () => {
    const { under } = use();
    await seal();
    await under.insertOften(under.newAuditRows, { ...FORGED, mac: null }, 1200);
    await write(NOON);
    const sealed = await seal();
    expect(sealed?.foreign).toHaveLength(1200);
    expect(sealed?.head).toMatchObject({ firstAuditNo: 3, lastAuditNo: 1203 });
    await accept();
    await accept();
    expect((await verify(use().node)).problems).toEqual([]);
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
