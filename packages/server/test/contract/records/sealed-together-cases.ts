// Two nodes seal at the same time, after someone who has no key wrote into the log.
import { expect, it } from 'vitest';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import type { AuditHeadStore } from '../../../src/domain/audit/proof-ports.ts';
import { signer, verify } from './sealing-cases.ts';
import { ACME, NOON, type RecordsNode } from './under-test.ts';
import type { RecordsInUse } from './use-records.ts';

const CLIENT = { clientId: 'a', controllerId: ACME, name: null, createdTime: 0, revokedTime: null };
const FORGED = { time: NOON, actor: 'eve', action: 'task.erased' };

export function describeSealedTogether(use: () => RecordsInUse): void {
  async function write(...times: number[]): Promise<void> {
    for (const time of times) await use().node.tenantWriter.recordToken(CLIENT, time, 'system');
  }
  const seal = (now = NOON, { auditHeads }: Pick<RecordsNode, 'auditHeads'> = use().node) =>
    createSealAudit(auditHeads, signer)(now);
  /** Seals, but the other node seals too, after this one has decided what to do and before it does that. */
  async function sealBeside(method: 'setRowsAside' | 'moveBehind', now: number): Promise<void> {
    const { auditHeads } = use().node;
    const beside =
      <Values extends unknown[], T>(act: (...values: Values) => Promise<T>) =>
      async (...values: Values) => {
        await seal(now, use().other);
        return act(...values);
      };
    const slow: AuditHeadStore =
      method === 'moveBehind'
        ? { ...auditHeads, moveBehind: beside(auditHeads.moveBehind) }
        : { ...auditHeads, setRowsAside: beside(auditHeads.setRowsAside) };
    await seal(now, { auditHeads: slow });
  }
  const tokens = async () =>
    (await use().node.auditHeads.rows(1, 99))
      .filter(({ action }) => action === 'token.issued')
      .map(({ time }) => time);

  it('rows behind one that is not ours are kept, although both nodes set that aside', async () => {
    const { node, under } = use();
    await seal();
    await write(NOON + 1);
    await under.insert(under.newAuditRows, { ...FORGED, mac: null });
    await write(NOON + 2, NOON + 3);
    await sealBeside('setRowsAside', NOON + 4);
    await seal(NOON + 5);
    expect(await tokens()).toEqual([NOON + 1, NOON + 2, NOON + 3]);
    expect(await node.auditLog.setAside()).toHaveLength(1);
    expect((await verify(node)).problems).toEqual([
      'row 4 was not written by Unwrite, and was set aside',
    ]);
  });

  it('rows that took numbers of deleted rows are moved once, although both nodes move them', async () => {
    const { node, under } = use();
    await write(NOON + 1, NOON + 2, NOON + 3);
    await seal(NOON + 4);
    await under.removeRow('audit_rows', { audit_no: 4 });
    await under.removeRow('audit_rows', { audit_no: 5 });
    await write(NOON + 5, NOON + 6);
    // On PostgreSQL, only someone else gives a row such a number.
    await node.auditHeads.numberRows(99);
    for (const at of [6, 7])
      await under.update('audit_rows', { audit_no: at }, { audit_no: at - 2 });
    await sealBeside('moveBehind', NOON + 7);
    await write(NOON + 8);
    await seal(NOON + 9);
    expect(await tokens()).toEqual([NOON + 1, NOON + 5, NOON + 6, NOON + 8]);
    expect((await verify(node)).problems).toEqual(['row 4 was removed', 'row 5 was removed']);
  });
}
