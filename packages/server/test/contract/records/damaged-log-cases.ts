// Somebody who can write to the database and has no key: the log is not continued until an operator has looked.
import { expect, it } from 'vitest';
import { createSealer } from '../../../src/app/proof/sealing.ts';
import { createSignatureVerifier } from '../../../src/audit/proof-key.ts';
import { createAuditProofs } from '../../../src/audit/prove/audit-proofs.ts';
import { openRowProver } from '../../../src/audit/prove/prove-rows.ts';
import { createSealAudit, LogDamaged } from '../../../src/audit/seal-audit.ts';
import { createSealDue } from '../../../src/audit/seal-chore.ts';
import { DAMAGED_LOG, EVERYTHING } from '../../../src/domain/task/pause-ports.ts';
import { makeSigner } from '../../receipts/facts.ts';
import { acceptAll, signer, verify } from './sealing-cases.ts';
import { ACME, NOON, type RecordsNode } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const CLIENT = { clientId: 'a', controllerId: ACME, name: null, createdTime: 0, revokedTime: null };
const FORGED = { time: NOON, actor: 'eve', action: 'task.erased', mac: null };
const BYTES = { previous_hash: Buffer.alloc(32), rows_hash: Buffer.alloc(32) };
const SIGNED = { hash: Buffer.alloc(32), signature: Buffer.alloc(64), key_id: signer.keyId };
const HEAD = { ...BYTES, ...SIGNED, first_audit_no: 3, tree_first: 1, time: NOON };

export function describeDamagedLog(use: () => RecordsInUse): void {
  async function write(count: number, by: RecordsNode = use().node): Promise<void> {
    for (let n = 0; n < count; n++) await by.tenantWriter.recordToken(CLIENT, NOON + n, 'system');
  }
  const seal = (now = NOON, by: RecordsNode = use().node) =>
    createSealAudit(by.auditHeads, signer)(now);
  const problems = async () => (await verify(use().node)).problems;
  /** Everything is under a head, and the next rows are covered as usual. */
  async function expectContinued(): Promise<void> {
    expect(await problems()).toEqual([]);
    await write(2);
    expect(await seal(NOON + 9)).toMatchObject({ foreign: [] });
    expect(await verify(use().node)).toMatchObject({ problems: [], unsealed: 0 });
    expect(await use().node.auditHeads.unsealed()).toBeUndefined();
  }
  async function removeNewest(count: number): Promise<number[]> {
    const { under, node } = use();
    await node.auditHeads.numberRows(99);
    const numbers = (await under.rows('audit_rows')).map((row) => Number(row.audit_no));
    const gone = numbers.toSorted((a, b) => a - b).slice(-count);
    for (const audit_no of gone) await under.removeRow('audit_rows', { audit_no });
    return gone;
  }

  it('erasing is paused while a row is missing, and goes on after an operator has accepted that', async () => {
    const { under, node } = use();
    await seal();
    await write(3);
    await node.auditHeads.numberRows(99);
    await under.removeRow('audit_rows', { audit_no: 4 });
    const raised: string[] = [];
    const sealer = createSealer({
      auditHeads: node.auditHeads,
      pauses: node.pauses,
      alarms: {
        async raise(alarms) {
          raised.push(...alarms.map(({ message }) => message));
          return [];
        },
      },
      signer: {
        ...signer,
        verify: createSignatureVerifier([signer.publicKey]),
        unusable: undefined,
        published: [],
        withNewestKeys: (work) => work(),
        rotate: async () => false,
      },
      writeDownHead: async () => undefined,
      witnessFile: undefined,
      log: () => undefined,
    });
    expect(await sealer(NOON)).toMatchObject({ lastAuditNo: 3 });
    expect(await sealer(NOON)).toBeUndefined();
    expect(raised.at(-1)).toMatch(/^row 4 of the audit log was removed: erasing is paused/);
    expect(await node.pauses.list()).toMatchObject([{ scope: EVERYTHING, pausedBy: DAMAGED_LOG }]);
    expect(await problems()).toEqual(['row 4 was removed']);
    expect(await acceptAll(node)).toMatchObject({ rows: [4], deleted: [] });
    expect(await node.pauses.list()).toEqual([]);
    const [row] = await node.auditLog.list({ limit: 1, action: 'audit.damage_accepted' });
    expect(row).toMatchObject({ actor: 'operator:olga' });
    expect(JSON.parse(row?.detail ?? '')).toEqual({
      reason: 'the backup tool',
      rows: [4],
      deleted_rows: [],
      deleted_heads: [],
      deleted_cut: null,
    });
    await seal(NOON + 1);
    await expectContinued();
  });

  it("an operator's own pause stays when damage is accepted", async () => {
    const { under, node } = use();
    await seal();
    await node.pauses.pause(EVERYTHING, { actor: 'operator:olga', now: NOON });
    await under.insert(under.newAuditRows, FORGED);
    await seal();
    await acceptAll(node);
    expect(await node.pauses.list()).toMatchObject([{ pausedBy: 'operator:olga' }]);
  });

  it('there is nothing to accept in an unchanged log', async () => {
    const { node } = use();
    await seal();
    await expect(acceptAll(node)).rejects.toThrow('the audit log is unchanged');
  });

  it('covered rows that were removed from the end stop the log', async () => {
    const { node } = use();
    await write(3);
    await seal();
    const gone = await removeNewest(2);
    await write(1);
    await expect(seal()).rejects.toThrow(`row ${gone.at(-1)} of the audit log was removed`);
    expect(await acceptAll(node)).toMatchObject({ rows: gone });
    await expectContinued();
  });

  it.each([1_000_000, 60_000, 9_007_199_254_740_000])(
    'a row numbered %i stops the log, and is deleted when that is accepted',
    async (number) => {
      const { under, node, other } = use();
      await write(2);
      await seal();
      await under.insert('audit_rows', { ...FORGED, audit_no: String(number) });
      await write(3, other);
      await expect(seal()).rejects.toThrow(`rows 5 to ${number - 1} of the audit log`);
      const { deleted } = await acceptAll(node);
      expect(deleted).toMatchObject([{ auditNo: number, actor: 'eve' }]);
      await expectContinued();
      const times = (await node.auditHeads.rowsAfter(4, 99))
        .filter(({ action }) => action === 'token.issued')
        .map(({ time }) => time);
      expect(times).toEqual([NOON, NOON + 1, NOON + 2, NOON, NOON + 1]);
      const verifySignature = createSignatureVerifier([signer.publicKey]);
      const { prove } = await openRowProver(node.auditHeads, verifySignature);
      const [first] = await node.auditHeads.rows(1, 1);
      if (first === undefined) throw new Error('the first row is missing');
      expect(await prove(first)).toBe('covered');
      expect(await prove({ ...first, actor: 'eve' })).toBe('changed');
    },
  );

  it.each(['0', '-70', '9223372036854775807'])(
    'no row can have the number %s',
    async (audit_no) => {
      const { under } = use();
      await expect(under.insert('audit_rows', { ...FORGED, audit_no })).rejects.toThrow(/check/i);
    },
  );

  it.each(['0', '-1', '9223372036854775807'])('no head can have the number %s', async (head_no) => {
    const forged = { ...HEAD, head_no, last_audit_no: 5 };
    await expect(use().under.insert('audit_heads', forged)).rejects.toThrow(/check/i);
  });

  it.each([
    ['after the newest', { head_no: 2, last_audit_no: 5 }],
    ['far beyond', { head_no: 7_000_000, last_audit_no: 9_000_000_000 }],
  ])('a head %s that we did not sign stops the log until that is accepted', async (_, numbers) => {
    const { under, node } = use();
    await seal();
    await under.insert('audit_heads', { ...HEAD, ...numbers });
    await write(2);
    expect(await createSealDue(node.auditHeads.unsealed).isDue(NOON + 4000)).toBe(true);
    await expect(seal()).rejects.toThrow(`head ${numbers.head_no} of the audit log is not signed`);
    expect((await acceptAll(node)).heads).toMatchObject([{ headNo: numbers.head_no }]);
    await expectContinued();
  });

  it('rows are proven although someone inserted heads that claim them', async () => {
    const { under, node } = use();
    await write(2);
    const own = await seal();
    for (const claimed of [
      { head_no: 2, last_audit_no: 2 },
      { head_no: 5, last_audit_no: 4 },
      { head_no: 7, last_audit_no: 4 },
    ]) {
      const salted = { first_audit_no: 1, salt_seed: Buffer.alloc(32) };
      await under.insert('audit_heads', { ...HEAD, ...salted, ...claimed });
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
    await acceptAll(node);
    await expectContinued();
  });

  it('a record of a cut that we did not sign is deleted when that is accepted', async () => {
    const { under, node } = use();
    await seal();
    await under.insert('audit_cuts', {
      head_no: 1,
      head_hash: Buffer.alloc(32),
      last_audit_no: 2,
      head_time: 0,
      retention_ms: 0,
      time: NOON,
      key_id: signer.keyId,
      signature: Buffer.alloc(64),
    });
    expect(await problems()).toHaveLength(1);
    expect((await acceptAll(node)).cut).toMatchObject({ headNo: 1 });
    await expectContinued();
  });

  it('a second operator accepts nothing that was written meanwhile', async () => {
    const { under, node, other } = use();
    await seal();
    await under.insert(under.newAuditRows, FORGED);
    await node.auditHeads.numberRows(99);
    const [foreign] = await node.auditHeads.rows(3, 3);
    if (foreign === undefined) throw new Error('there is no such row');
    await acceptAll(node);
    await write(2);
    const by = { actor: 'operator:otto', now: NOON };
    const damage = { rows: [3], deleted: [foreign], heads: [], cut: undefined };
    await other.auditHeads.acceptDamage(damage, by, 'the same');
    await expectContinued();
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
    const verdict = await verify(node);
    expect(verdict.cut.heads).toBe(0);
    expect(verdict.problems).toEqual(
      ['1 (1 to 2)', '2 (3 to 4)', '3 (5 to 5)'].map(
        (rows) =>
          `the rows of head ${rows} were removed, and no signed record says that they were removed by retention`,
      ),
    );
  });

  it('nothing is deleted if no head is signed by a known key', async () => {
    const { node, under } = use();
    await seal();
    await write(1);
    await expect(createSealAudit(node.auditHeads, makeSigner())(NOON)).rejects.toThrow(LogDamaged);
    await under.update('audit_heads', { head_no: 1 }, { signature: Buffer.alloc(64) });
    await expect(acceptAll(node)).rejects.toThrow('no head of the audit log is signed');
    expect(await under.rows('audit_heads')).toHaveLength(1);
  });
}
