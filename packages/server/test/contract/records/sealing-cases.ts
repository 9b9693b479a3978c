import { expect, it } from 'vitest';
import { createAcceptDamage } from '../../../src/audit/accept-damage.ts';
import { createCutAudit } from '../../../src/audit/cut-audit.ts';
import { createSignatureVerifier } from '../../../src/audit/proof-key.ts';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import { verifyAudit } from '../../../src/audit/verify-audit.ts';
import { makeSigner } from '../../receipts/facts.ts';
import { ACME, NOON, type RecordsNode } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

export const signer = makeSigner();
const verifySignature = createSignatureVerifier([signer.publicKey]);
const CLIENT = { clientId: 'a', controllerId: ACME, name: null, createdTime: 0, revokedTime: null };

export const verify = ({ auditHeads }: Pick<RecordsNode, 'auditHeads'>) =>
  verifyAudit(auditHeads, {
    verifySignature,
    known: [],
    isAuthentic: auditHeads.isAuthentic,
  });

/** What an operator does after looking at it. */
export const acceptAll = ({ auditHeads: store, pauses }: RecordsNode, now = NOON) =>
  createAcceptDamage({
    store,
    pauses,
    verifySignature,
    verify: () => verify({ auditHeads: store }),
    seal: createSealAudit(store, signer),
  })('the backup tool', { actor: 'operator:olga', now });

export function describeSealing(use: () => RecordsInUse): void {
  async function write(count: number, by: RecordsNode = use().node): Promise<void> {
    for (let n = 0; n < count; n++) await by.tenantWriter.recordToken(CLIENT, NOON + n, 'system');
  }
  const seal = (now = NOON, by: RecordsNode = use().node) =>
    createSealAudit(by.auditHeads, signer)(now);

  const cut = (now: number, by: RecordsNode = use().node) =>
    createCutAudit({ store: by.auditHeads, signer, verifySignature, retentionMs: 0 })(now);

  it('returns since when rows wait to be covered, and about how many', async () => {
    const { node, other } = use();
    expect(await other.auditHeads.unsealed()).toEqual({ since: 0, rows: 2 });
    await seal();
    expect(await other.auditHeads.unsealed()).toBeUndefined();
    await write(3);
    expect(await other.auditHeads.unsealed()).toEqual({ since: NOON, rows: 3 });
    await node.auditHeads.numberRows(2);
    await write(1);
    expect(await other.auditHeads.unsealed()).toEqual({ since: NOON, rows: 4 });
    await seal();
    expect(await other.auditHeads.unsealed()).toBeUndefined();
  });

  it('covers what has come since the last head, and nothing twice', async () => {
    const { node, other } = use();
    const first = await seal();
    expect(first?.head).toMatchObject({ headNo: 1, firstAuditNo: 1, lastAuditNo: 2 });
    expect(await seal()).toBeUndefined();
    await write(5);
    await write(2, other);
    const second = await seal(NOON + 1, other);
    expect(second?.head).toMatchObject({ headNo: 2, firstAuditNo: 3, lastAuditNo: 9 });
    const verdict = await verify(node);
    expect(verdict).toMatchObject({ problems: [], heads: 2, rows: 9, unsealed: 0 });
    expect(Buffer.from((await other.auditHeads.newestHead())?.hash ?? [])).toEqual(
      Buffer.from(second?.head.hash ?? []),
    );
  });

  it('keeps the head that was written first with its number', async () => {
    const { other } = use();
    const sealed = await seal();
    if (sealed === undefined) throw new Error('nothing was sealed');
    expect(await other.auditHeads.addHead({ ...sealed.head, time: 1 }, [])).toBe(false);
    expect((await verify(other)).problems).toEqual([]);
  });

  it('finds a row that was changed', async () => {
    const { under, node } = use();
    await write(3);
    await seal();
    await under.update('audit_rows', { audit_no: 4 }, { actor: 'somebody else' });
    expect((await verify(node)).problems).toEqual(['row 4 was changed']);
  });

  it('continues where the rows of old heads were cut, and numbers no row twice', async () => {
    const { node, other, under } = use();
    for (let head = 1; head <= 3; head++) {
      await write(2);
      await seal(NOON + head);
    }
    const { forgetting } = node;
    expect(await forgetting.anyAuditToCut(NOON)).toBe(false);
    expect(await cut(NOON)).toMatchObject({ heads: 0, rows: 0 });
    expect(await forgetting.anyAuditToCut(NOON + 1)).toBe(true);
    expect(await cut(NOON + 1)).toMatchObject({ heads: 1, rows: 4 });
    expect(await cut(NOON + 9, other)).toMatchObject({ heads: 1, rows: 2 });
    // The newest head keeps its rows.
    expect(await forgetting.anyAuditToCut(NOON + 9)).toBe(false);
    expect(await cut(NOON + 9)).toMatchObject({ heads: 0, rows: 0 });
    expect(await under.rows('audit_cuts')).toHaveLength(1);
    expect((await under.rows('audit_rows')).map((row) => row.audit_no)).toEqual([7, 8]);
    expect(await verify(node)).toMatchObject({ problems: [], rows: 2, cut: { heads: 2 } });
    await forgetting.recordForgotten({ requests: 1, rows: 6 }, NOON + 9);
    const sealed = await seal(NOON + 9);
    expect(sealed?.head).toMatchObject({ headNo: 4, firstAuditNo: 9, lastAuditNo: 9 });
    const [newest] = await other.auditLog.list({ limit: 1 });
    expect(newest).toMatchObject({ auditNo: 9, action: 'records.forgotten' });
    expect(JSON.parse(newest?.detail ?? '')).toEqual({ requests: 1, rows: 6 });
    expect((await verify(node)).problems).toEqual([]);
  });
}
