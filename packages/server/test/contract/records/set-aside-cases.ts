// Somebody who can write to the database and has no key: what is written into the log stops nothing, and is told.
import { expect, it } from 'vitest';
import { createSignatureVerifier } from '../../../src/audit/proof-key.ts';
import { createAuditProofs } from '../../../src/audit/prove/audit-proofs.ts';
import { openRowProver } from '../../../src/audit/prove/prove-rows.ts';
import { createSealAudit, NoKnownHead } from '../../../src/audit/seal-audit.ts';
import { createSealDue } from '../../../src/audit/seal-chore.ts';
import { makeSigner } from '../../receipts/facts.ts';
import { signer, verify } from './sealing-cases.ts';
import { ACME, NOON, type RecordsNode } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const CLIENT = { clientId: 'a', controllerId: ACME, name: null, createdTime: 0, revokedTime: null };
const FORGED = { time: NOON, actor: 'eve', action: 'task.erased' };

export function describeSetAside(use: () => RecordsInUse): void {
  async function write(count: number, by: RecordsNode = use().node): Promise<void> {
    for (let n = 0; n < count; n++) await by.tenantWriter.recordToken(CLIENT, NOON + n, 'system');
  }
  const seal = (now = NOON, by: RecordsNode = use().node) =>
    createSealAudit(by.auditHeads, signer)(now);
  /** Every number once, from 1 on, and all of them under a head. */
  async function expectWhole(rows: number): Promise<void> {
    const { node, under } = use();
    await seal(NOON + 100);
    const numbers = (await under.rows('audit_rows')).map((row) => Number(row.audit_no));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: rows }, (_, i) => i + 1),
    );
    expect(await verify(node)).toMatchObject({ rows, unsealed: 0 });
    expect(await node.auditHeads.unsealed()).toBeUndefined();
  }
  const setAside = async () =>
    (await use().node.auditLog.setAside()).map(({ kind, number }) => `${kind} ${number}`);

  it.each(['1000000', '60000', '9007199254740990', '9223372036854775807'])(
    'a row numbered %s is set aside, and those after it are sealed in their order',
    async (number) => {
      const { under, node, other } = use();
      await write(2);
      await seal();
      await write(1);
      // Past 2^53 a number must be given as a text.
      await under.insert('audit_rows', { ...FORGED, audit_no: number });
      await write(3, other);
      const [sealed] = [await seal(NOON + 50), await seal(NOON + 51), await seal(NOON + 52)];
      expect(sealed).toMatchObject({ head: { headNo: 2 } });
      expect(await setAside()).toEqual([`row ${number}`]);
      // Of what was written, and that a row was set aside.
      await expectWhole(2 + 2 + 1 + 3 + 1);
      const rows = await node.auditHeads.rows(1, 99);
      expect(rows.map(({ actor }) => actor)).not.toContain('eve');
      expect(rows.at(-1)).toMatchObject({ action: 'audit.set_aside' });
      const tokens = rows.filter(({ action }) => action === 'token.issued').map(({ time }) => time);
      expect(tokens).toEqual([NOON, NOON + 1, NOON, NOON, NOON + 1, NOON + 2]);
      expect((await verify(node)).problems).toEqual([
        `row ${number} was not written by Unwrite, and was set aside`,
      ]);
    },
  );

  it('two rows with numbers far too large are both set aside, and ours between them are kept', async () => {
    const { under } = use();
    await seal();
    await under.insert('audit_rows', { ...FORGED, audit_no: 1_000_000 });
    await write(2);
    await under.insert('audit_rows', { ...FORGED, audit_no: 5_000_000 });
    await write(2);
    await seal();
    await seal();
    expect(await setAside()).toEqual(['row 1000000', 'row 5000000']);
    await expectWhole(2 + 4 + 2);
  });

  it('a node that comes second does not set aside our own row, which has the number by then', async () => {
    const { under, node, other } = use();
    await seal();
    await under.insert('audit_rows', { ...FORGED, audit_no: 5 });
    await node.auditHeads.setRowAside('5', 2, NOON);
    await write(4);
    await seal();
    await other.auditHeads.setRowAside('5', 2, NOON);
    expect(await setAside()).toEqual(['row 5']);
    await expectWhole(2 + 1 + 4);
  });

  it.each([0, -70])('a row numbered %i is set aside', async (number) => {
    const { under, node } = use();
    await seal();
    await under.insert('audit_rows', { ...FORGED, audit_no: number });
    expect((await verify(node)).problems).toEqual([`row ${number} was inserted: the first is 1`]);
    await write(1);
    expect(await seal()).toMatchObject({ setAside: 1 });
    await expectWhole(4);
    expect(await setAside()).toEqual([`row ${number}`]);
  });

  it('a few rows that are missing are reported as missing, and what came after them stays', async () => {
    const { under, node } = use();
    await seal();
    await under.insert('audit_rows', { ...FORGED, audit_no: 5 });
    expect(await seal()).toMatchObject({ missingRows: 2, head: { lastAuditNo: 5 } });
    expect((await verify(node)).problems).toEqual([
      'row 3 was removed before head 2 was made',
      'row 4 was removed before head 2 was made',
    ]);
  });

  it.each([
    ['after the newest', { head_no: 2, last_audit_no: 5 }],
    ['far beyond', { head_no: 7_000_000, last_audit_no: 9_000_000_000 }],
    ['beyond 2^53', { head_no: '9223372036854775807', last_audit_no: 5 }],
  ])(
    'a head that we did not sign, %s, is set aside, and the log does not continue from it',
    async (_, numbers) => {
      const { under, node } = use();
      await seal();
      const bytes = { previous_hash: Buffer.alloc(32), rows_hash: Buffer.alloc(32) };
      const signed = { hash: Buffer.alloc(32), signature: Buffer.alloc(64), key_id: signer.keyId };
      const covers = { first_audit_no: 3, tree_first: 1, time: NOON };
      const forged = { ...numbers, ...bytes, ...signed, ...covers };
      await under.insert('audit_heads', forged);
      expect((await node.restores.state()).headNo).toBeLessThanOrEqual(7_000_000);
      await write(2);
      expect(await seal()).toMatchObject({ setAside: 1, head: { headNo: 2, firstAuditNo: 3 } });
      expect(await setAside()).toEqual([`head ${numbers.head_no}`]);
      await expectWhole(2 + 2 + 1);
      expect((await verify(node)).problems).toEqual([
        `head ${numbers.head_no} was not written by Unwrite, and was set aside`,
      ]);
    },
  );

  it('rows are proven although someone inserted heads that claim them, and these are set aside soon', async () => {
    const { under, node } = use();
    await write(2);
    const own = await seal();
    const claimed = [
      { head_no: 2, last_audit_no: 2 },
      { head_no: 5, last_audit_no: 4 },
      { head_no: 7, last_audit_no: 4 },
    ];
    for (const numbers of claimed) {
      const bytes = { previous_hash: Buffer.alloc(32), rows_hash: Buffer.alloc(32) };
      const signed = { hash: Buffer.alloc(32), signature: Buffer.alloc(64), key_id: signer.keyId };
      const tree = { tree_first: 1, salt_seed: Buffer.alloc(32) };
      const covers = { first_audit_no: 1, time: NOON };
      await under.insert('audit_heads', { ...numbers, ...covers, ...bytes, ...signed, ...tree });
    }
    const verifySignature = createSignatureVerifier([signer.publicKey]);
    const { auditHeads: tree, receipts } = node;
    const { newestHead } = createAuditProofs({ tree, receipts, verifySignature });
    expect(await newestHead()).toMatchObject({ head_no: own?.head.headNo });
    const prover = await openRowProver(tree, verifySignature);
    for (const row of await tree.rows(1, 4)) {
      expect(await prover.prove(row)).toBe('covered');
      expect(await prover.inclusionOf(row)).toMatchObject({ leafIndex: row.auditNo - 1 });
    }
    expect(await createSealDue(tree.unsealed).isDue(NOON + 4000)).toBe(true);
    expect(await seal(NOON + 4000)).toMatchObject({ setAside: 3, head: { headNo: 2 } });
    await expectWhole(7);
  });

  it('rows that someone else removed, with every trace of them, are not treated as cut', async () => {
    const { node, under } = use();
    await seal();
    await write(2);
    await seal();
    await write(1);
    await seal();
    await under.update('audit_heads', { head_no: 1 }, { salt_seed: null });
    await under.update('audit_heads', { head_no: 2 }, { salt_seed: null });
    await under.remove('audit_rows');
    const { problems, cut } = await verify(node);
    expect(cut.heads).toBe(0);
    expect(problems).toEqual(
      ['1 (1 to 2)', '2 (3 to 4)', '3 (5 to 5)'].map(
        (rows) =>
          `the rows of head ${rows} were removed, and no signed record says that they were removed by retention`,
      ),
    );
  });

  it('heads are not changed if none is signed by a known key', async () => {
    const { node, under } = use();
    await seal();
    await write(1);
    const stranger = createSealAudit(node.auditHeads, makeSigner());
    await expect(stranger(NOON)).rejects.toThrow(NoKnownHead);
    expect(await under.rows('audit_heads')).toHaveLength(1);
    expect(await setAside()).toEqual([]);
  });

  it("rows that were set aside are reported until an operator removes them, with the operator's name", async () => {
    const { node, under } = use();
    await under.insert('audit_rows', { ...FORGED, audit_no: 0 });
    await seal();
    expect((await verify(node)).problems).toHaveLength(1);
    expect(await node.auditLog.removeSetAside({ actor: 'operator:olga', now: NOON })).toBe(1);
    expect((await verify(node)).problems).toEqual([]);
    const [row] = await node.auditLog.list({ limit: 1, action: 'audit.set_aside_removed' });
    expect(row).toMatchObject({ actor: 'operator:olga', detail: '{"removed":1}' });
  });
}
