// Rows of the audit log come from many transactions at once, and several nodes seal them.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { SubjectRequestId } from '@unwrite/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSealAudit } from '../../../src/audit/seal-audit.ts';
import { verifyAudit } from '../../../src/audit/verify-audit.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import { createArrivals } from '../../../src/store/postgres/arrivals.ts';
import { createAuditHeadStore } from '../../../src/store/postgres/audit-heads.ts';
import { createRequestStore } from '../../../src/store/postgres/request-store.ts';
import { appendAudit } from '../../../src/store/shared/audit/append-audit.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { ACME, addControllers, NOON } from '../../contract/records/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../helpers/stores/open-postgres-records.ts';
import { makeSigner, verifierOf } from '../../receipts/facts.ts';

const ROUNDS = 25;
const TOGETHER = 12;

describe.skipIf(!(await hasPostgres()))('sealing while others write', () => {
  let under: PostgresRecords;
  beforeEach(async () => {
    under = await openPostgresRecords();
    await addControllers(under.node);
  });
  afterEach(() => under.close());

  const row = (detail: string) => ({
    time: NOON,
    actor: 'system',
    action: 'seen.asked' as const,
    controllerId: ACME,
    subjectRequestId: null,
    detail,
  });

  /** As the API does. */
  async function create(): Promise<void> {
    const ring = createMasterKeyRing([randomBytes(32)]);
    const store = createRequestStore(under.database, createIdentityVault(ring).seal, () => NOON);
    for (let round = 0; round < ROUNDS; round++) {
      const made = Array.from({ length: TOGETHER }, () => ({
        controllerId: ACME,
        subjectRequestId: randomUUID() as SubjectRequestId,
        ...({ regulation: 'gdpr', submittedTime: '2026-11-15T11:00:00Z' } as const),
        identities: [new Identity('email', 'jane@example.com')],
        actor: 'client:one',
      }));
      await Promise.all(made.map((request) => store.create(request)));
    }
  }

  /** Transactions that take their time, and some that come to nothing. */
  async function write(name: string): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const written = under.database.transaction(async (sql) => {
        await appendAudit(sql, [row(`${name} ${round}`), row(`${name} ${round} too`)]);
        await wait(Math.random() * 10);
        if (round % 5 === 4) throw new Error('rolled back');
      });
      await written.catch((error: Error) => expect(error.message).toBe('rolled back'));
    }
  }

  it('gives every row one number, without a gap, and the chain holds', async () => {
    const { node, other } = under;
    const signer = makeSigner();
    let isWriting = true;
    let heads = 0;
    const seal = async ({ auditHeads }: typeof node, max: number) => {
      const sealAudit = createSealAudit(auditHeads, signer);
      while (isWriting) {
        await auditHeads.numberRows(max);
        if ((await sealAudit(NOON)) !== undefined) heads++;
      }
    };
    const sealing = Promise.all([seal(node, 7), seal(other, 1000)]);
    await Promise.all([create(), create(), write('one'), write('two')]);
    isWriting = false;
    await sealing;
    if ((await createSealAudit(other.auditHeads, signer)(NOON)) !== undefined) heads++;

    expect(await under.rows('new_audit_rows')).toEqual([]);
    const rows = await node.auditHeads.rows(1, 1e9);
    expect(rows.map(({ auditNo }) => auditNo)).toEqual(rows.map((_, index) => index + 1));
    const created = rows.filter(({ action }) => action === 'request.created');
    expect(new Set(created.map((it) => it.subjectRequestId)).size).toBe(2 * ROUNDS * TOGETHER);
    expect(created).toHaveLength(2 * ROUNDS * TOGETHER);
    const written = rows.filter(({ action }) => action === 'seen.asked');
    expect(written).toHaveLength(2 * 2 * (ROUNDS - ROUNDS / 5));
    expect(new Set(written.map(({ detail }) => detail)).size).toBe(written.length);
    const verdict = await verifyAudit(other.auditHeads, {
      verifySignature: verifierOf(signer),
      known: [],
    });
    expect(verdict).toMatchObject({ problems: [], heads, rows: rows.length, unsealed: 0 });
    expect(heads).toBeGreaterThan(3);
  });

  it('skips a transaction that is not committed yet, and seals its rows the next time', async () => {
    const { node, other } = under;
    let commit: () => void = () => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let arrived: () => void = () => undefined;
    const hasArrived = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const slow = under.database.transaction(async (sql) => {
      await appendAudit(sql, [row('slow')]);
      arrived();
      await mayCommit;
    });
    await hasArrived;
    await appendAudit(under.database, [row('quick')]);
    await node.auditHeads.numberRows(100);
    expect((await node.auditHeads.rows(1, 99)).map(({ detail }) => detail).at(-1)).toBe('quick');
    commit();
    await slow;
    expect((await other.auditLog.list({ limit: 1 }))[0]).toMatchObject({
      auditNo: 4,
      detail: 'slow',
    });
    await other.auditHeads.numberRows(100);
    const rows = await node.auditHeads.rows(1, 99);
    expect(rows.map(({ auditNo, detail }) => [auditNo, detail]).slice(2)).toEqual([
      [3, 'quick'],
      [4, 'slow'],
    ]);
  });

  it('finds the row of a transaction that took minutes, in its check of all rows', async () => {
    const clock = { now: 0 };
    const arrivals = createArrivals(() => clock.now);
    const heads = createAuditHeadStore(under.database, arrivals);
    await heads.numberRows(100);
    for (let minute = 0; minute < 4; minute++) {
      expect((await heads.unsealed())?.rows).toBe(2);
      clock.now += 60_000;
    }
    await under.database.run(
      `INSERT INTO @new_audit_rows (arrival_no, time, actor, action) OVERRIDING SYSTEM VALUE
       VALUES (1, 0, 'system', 'seen.asked')`,
    );
    await heads.numberRows(100);
    expect(await under.rows('audit_rows')).toHaveLength(2);
    clock.now += 60_000;
    expect((await heads.unsealed())?.rows).toBe(4);
    await heads.numberRows(100);
    expect((await heads.rows(1, 9)).map(({ auditNo }) => auditNo)).toEqual([1, 2, 3]);
  });

  it('continues after the newest head, once it is accepted that all rows are gone', async () => {
    const { node } = under;
    const sealAudit = createSealAudit(node.auditHeads, makeSigner());
    await sealAudit(NOON);
    await under.database.run('DELETE FROM @audit_rows');
    await appendAudit(under.database, [row('later')]);
    expect((await node.auditLog.list({ limit: 9 })).map(({ auditNo }) => auditNo)).toEqual([3]);
    await expect(sealAudit(NOON)).rejects.toThrow('row 2 of the audit log was removed');
    const sealed = await sealAudit(NOON, true);
    expect(sealed?.head).toMatchObject({ firstAuditNo: 3, lastAuditNo: 3 });
  });
});
