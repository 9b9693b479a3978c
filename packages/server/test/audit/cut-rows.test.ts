import { describe, expect, it } from 'vitest';
import { createSignatureVerifier } from '../../src/audit/proof-key.ts';
import { verifyAudit } from '../../src/audit/verify-audit.ts';
import { makeAuditWorld } from './audit-world.ts';
import { INSERT, makeSealedLog } from './sealed-log.ts';

const DAY = 86_400_000;

describe('rows that were cut for their age', () => {
  it('are vouched for by their heads and a signed record, and the rest is verified', async () => {
    const { tamper, verify, last, cut } = await makeSealedLog();
    expect([await cut(), await cut()]).toMatchObject([
      { heads: 2, rows: 6 },
      { heads: 0, rows: 0 },
    ]);
    const verdict = await verify([last]);
    expect(verdict).toMatchObject({ problems: [], heads: 3, rows: 3, unsealed: 2 });
    expect(verdict.cut).toMatchObject({ heads: 2, lastAuditNo: 6 });
    tamper(INSERT(4));
    expect((await verify()).problems).toEqual([
      'row 4 was inserted: rows up to 6 were removed by retention',
    ]);
  });

  it('are not cut before their time, even if someone changed the time of their head', async () => {
    const { tamper, verify, cut } = await makeSealedLog();
    expect(await cut(86_400_000)).toMatchObject({ heads: 0, rows: 0, damage: undefined });
    tamper('UPDATE audit_heads SET time = 0 WHERE head_no = 1');
    expect(await cut(86_400_000)).toMatchObject({
      heads: 0,
      rows: 0,
      damage: 'head 1 of the audit log was changed since it was signed',
    });
    expect((await verify()).problems).toEqual(['head 1 was changed']);
  });

  it('are not cut any more if someone inserted a false record', async () => {
    const { tamper, cut } = await makeSealedLog();
    tamper(
      `INSERT INTO audit_cuts (head_no, head_hash, last_audit_no, head_time, retention_ms, time, key_id, signature) VALUES (3, x'00', 9, 0, 0, 0, 'k', x'00')`,
    );
    const damage = 'the record of what was cut is not signed by Unwrite';
    expect(await cut()).toEqual({ heads: 0, rows: 0, damage });
  });

  it('have a record that cannot be put on another log, or another place', async () => {
    const { tamper, verify, cut } = await makeSealedLog();
    await cut();
    tamper('UPDATE audit_cuts SET head_no = 1');
    expect((await verify()).problems[0]).toBe(
      'the record that rows up to head 1 were cut was not signed with the given key, or was changed',
    );
  });
});

describe('a tree of which rows were cut', () => {
  it('keeps an old head after a younger one, and reports no change of it, if the clock was set back', async () => {
    const { write, seal, verify, cut, clock } = await makeAuditWorld();
    const start = clock.now;
    for (const days of [10, 3, 10]) {
      clock.now = start + days * DAY;
      await write(2);
      await seal();
    }
    expect(await cut(5 * DAY)).toEqual({ heads: 0, rows: 0, damage: undefined });
    clock.now = start + 16 * DAY;
    expect(await cut(5 * DAY)).toMatchObject({ heads: 2, damage: undefined });
    expect((await verify()).problems).toEqual([]);
  });

  it('is still verified, and added to', async () => {
    const { write, seal, verify, cut } = await makeAuditWorld();
    for (const rows of [700, 80, 513, 1]) {
      await write(rows);
      await seal();
    }
    expect(await cut()).toMatchObject({ heads: 3, rows: 1293 });
    await write(5);
    await seal();
    expect(await verify()).toMatchObject({ problems: [], heads: 5, rows: 6 });
  });
});

it('a cut that is dated in the future is reported', async () => {
  const world = await makeAuditWorld();
  await world.write(2);
  await world.seal();
  await world.write(1);
  await world.seal();
  const now = world.clock.now;
  world.clock.now += 800 * DAY;
  expect(await world.cut(730 * DAY)).toMatchObject({ heads: 1 });
  const verifySignature = createSignatureVerifier([world.signer.publicKey]);
  const verdict = await verifyAudit(world.heads, { verifySignature, known: [], now });
  expect(verdict.problems).toEqual([expect.stringMatching(/dated in the future, 2029-.*younger/)]);
  expect((await world.verify()).problems).toEqual([]);
});
