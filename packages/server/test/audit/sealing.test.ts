import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSealAndTell, createSealDue } from '../../src/audit/seal-chore.ts';
import { createAuditHeadStore } from '../../src/store/sqlite/audit-heads.ts';
import { knownOf, makeAuditWorld } from './audit-world.ts';

describe('sealing', () => {
  it('covers what has come since the head before it, and chains them', async () => {
    const { write, seal } = await makeAuditWorld();
    await write(2);
    const first = await seal();
    await write(1);
    const second = await seal();
    expect([first, second]).toMatchObject([
      { headNo: 1, firstAuditNo: 1, lastAuditNo: 2 },
      { headNo: 2, firstAuditNo: 3, lastAuditNo: 3 },
    ]);
    expect(Buffer.from(second.previousHash)).toEqual(first.hash);
  });

  it('makes no head if there are no new rows', async () => {
    const { write, seal, sealAudit, clock, heads } = await makeAuditWorld();
    expect(await sealAudit(clock.now)).toBeUndefined();
    await write(1);
    await seal();
    expect(await sealAudit(clock.now)).toBeUndefined();
    expect((await heads.newestHead())?.headNo).toBe(1);
  });

  it('keeps the head that was written first with its number', async () => {
    const { write, seal, heads, verify } = await makeAuditWorld();
    await write(1);
    const head = await seal();
    expect(await heads.addHead({ ...head, time: 0 }, [])).toBe(false);
    expect((await verify()).problems).toEqual([]);
  });
});

describe('the question whether to seal', () => {
  async function makeDue() {
    const world = await makeAuditWorld();
    return { ...world, due: createSealDue(createAuditHeadStore(world.store.reader).unsealed) };
  }

  it('is answered with yes three seconds after a row, and with no for months of silence', async () => {
    const { write, seal, due, clock } = await makeDue();
    expect(await due.isDue(clock.now)).toBe(false);
    await write(1);
    expect(await due.isDue(clock.now + 2999)).toBe(false);
    expect(await due.isDue(clock.now + 3000)).toBe(true);
    await seal();
    expect(await due.isDue(clock.now + 90 * 86_400_000)).toBe(false);
  });

  it('is yes if the clock was set back', async () => {
    const { write, due, clock } = await makeDue();
    await write(1);
    expect(await due.isDue(clock.now - 1)).toBe(true);
  });

  it('is yes at once if there are many new rows', async () => {
    const { due, clock, tamper } = await makeDue();
    tamper(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO audit_rows (time, actor, action) SELECT ${clock.now}, 'system', 'a' FROM n`);
    expect(await due.isDue(clock.now)).toBe(true);
  });
});

describe('the head beside the store', () => {
  async function makeTold() {
    const world = await makeAuditWorld();
    const { told, watch } = world;
    const sealAndTell = createSealAndTell(world.sealAudit, watch.look, {
      sealed: (fields) => told.push(fields),
      warn: (fields, message) => told.push({ ...fields, message }),
      tampered: async (message) => void told.push({ message }),
    });
    return { ...world, sealAndTell };
  }

  it('is the newest head, readable only by its owner, and is logged', async () => {
    const { write, sealAndTell, told, clock, folder, heads, headFile } = await makeTold();
    for (let n = 0; n < 2; n++) {
      await write(1);
      await sealAndTell(clock.now);
    }
    const [first, second] = (await heads.heads(0, 10)).map(knownOf);
    const recorded = { ...second, time: clock.now, lastRestoreNo: 0 };
    expect(headFile.read()).toEqual({ heads: [recorded], unreadable: [] });
    const file = join(folder, 'audit-head.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      head_no: 2,
      hash: second?.hash,
    });
    expect(told).toEqual([
      { head_no: 1, hash: first?.hash, audit_no: 1 },
      { head_no: 2, hash: second?.hash, audit_no: 2 },
    ]);
  });

  it('stays if the store lacks it, is reported in the store, and still detects the cut', async () => {
    const { write, sealAndTell, told, clock, headFile, tamper, verify, store } = await makeTold();
    for (let n = 0; n < 3; n++) {
      await write(1);
      await sealAndTell(clock.now);
    }
    tamper(
      'DELETE FROM audit_heads WHERE head_no > 1',
      'DELETE FROM audit_rows WHERE audit_no > 1',
      'UPDATE sqlite_sequence SET seq = 1',
    );
    expect((await verify(headFile.read().heads)).problems).toHaveLength(1);
    await write(1);
    await sealAndTell(clock.now);
    expect(told.at(-1)).toMatchObject({
      reason: 'here has head 3 of the audit log, which the store lacks',
      message: expect.stringContaining('went back in time'),
    });
    expect(headFile.read().heads.map(({ headNo }) => headNo)).toEqual([3]);
    expect(await store.restores.restores()).toMatchObject([{ lastHeadNo: 2, confirmedTime: null }]);
    expect((await verify(headFile.read().heads)).problems).toEqual([
      'head 3 was recorded and is missing: the log was cut after head 2 (row 2)',
    ]);
  });

  it('is never a head that someone else wrote', async () => {
    const { write, sealAndTell, clock, headFile, tamper, watch, store } = await makeTold();
    await write(1);
    await sealAndTell(clock.now);
    const [before] = headFile.read().heads;
    tamper(
      `INSERT INTO audit_heads (head_no, first_audit_no, last_audit_no, time, previous_hash,
         rows_hash, hash, key_id, signature, tree_first)
       SELECT 2, 2, 5, time, hash, rows_hash, zeroblob(32), key_id, signature, 1 FROM audit_heads`,
    );
    expect(await watch.look()).toBe(true);
    expect(headFile.read().heads).toEqual([before]);
    await write(1);
    await expect(sealAndTell(clock.now)).rejects.toThrow('not signed by Unwrite');
    expect(await watch.lookClosely()).toBe(true);
    expect(headFile.read().heads).toEqual([before]);
    expect(await store.restores.restores()).toEqual([]);
  });
});
