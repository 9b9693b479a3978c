import { describe, expect, it } from 'vitest';
import { createSignatureVerifier } from '../../src/audit/proof-key.ts';
import { openRowProver } from '../../src/audit/prove/prove-rows.ts';
import { createSealDue } from '../../src/audit/seal-chore.ts';
import { makeSealedLog } from './sealed-log.ts';

describe('heads below the first one', () => {
  const insertHead = (headNo: number | string, lastAuditNo: number) =>
    `INSERT INTO audit_heads SELECT ${headNo}, first_audit_no, ${lastAuditNo}, time, previous_hash, rows_hash,
       hash, key_id, signature, tree_first, zeroblob(32)
     FROM audit_heads WHERE head_no = 1`;

  it.each([0, -1])('are named: %i', async (headNo) => {
    const { tamper, verify } = await makeSealedLog();
    tamper(insertHead(headNo, 3));
    expect((await verify()).problems).toEqual([`head ${headNo} was inserted: the first is 1`]);
  });

  it.each([0, -1, '-9223372036854775807'])(
    'are set aside, so that rows of the next head can be proven: %s',
    async (headNo) => {
      const { tamper, verify, seal, sealAudit, clock, heads, signer } = await makeSealedLog();
      // No head of ours ends at row 10: this one would be taken for the head that covers it.
      tamper(insertHead(headNo, 10));
      expect(await sealAudit(clock.now)).toMatchObject({ setAside: 1 });
      const verifySignature = createSignatureVerifier([signer.publicKey]);
      const [row] = await heads.rows(10, 10);
      if (row === undefined) throw new Error('the row is missing');
      const { prove, inclusionOf } = await openRowProver(heads, verifySignature);
      expect(await prove(row)).toBe('covered');
      expect(await inclusionOf(row)).toMatchObject({ leafIndex: 9 });
      expect((await verify()).problems).toEqual([
        `head ${headNo} was not written by Unwrite, and was set aside`,
      ]);
      await expect(seal()).rejects.toThrow('there was nothing to seal');
    },
  );
});

it('rows are sealed soon, even if someone inserted a head that claims them', async () => {
  const { tamper, verify, seal, sealAudit, clock, heads } = await makeSealedLog();
  await seal();
  tamper(`INSERT INTO audit_heads SELECT 1000, first_audit_no, 1000000000, time, previous_hash, rows_hash, hash,
            key_id, signature, tree_first, salt_seed
          FROM audit_heads WHERE head_no = 1`);
  expect(await createSealDue(heads.unsealed).isDue(clock.now + 3000)).toBe(true);
  expect(await sealAudit(clock.now)).toMatchObject({ setAside: 1 });
  expect((await verify()).problems).toEqual([
    'head 1000 was not written by Unwrite, and was set aside',
  ]);
});

describe('rows after the newest ones were deleted', () => {
  async function makeShortened(deletedFrom: number) {
    const world = await makeSealedLog();
    await world.seal();
    world.tamper(`DELETE FROM audit_rows WHERE audit_no >= ${deletedFrom}`);
    world.clock.now += 1000;
    return { ...world, covered: (await world.heads.newestHead())?.lastAuditNo ?? 0 };
  }

  it.each([1, 3, 4, 9])(
    '%i rows are covered by the next head, under numbers of their own',
    async (rows) => {
      const { write, sealAudit, seal, verify, clock, heads, covered } = await makeShortened(8);
      const gone = covered - 7;
      await write(rows);
      const sealed = await sealAudit(clock.now + 1);
      expect(sealed).toMatchObject({
        head: { firstAuditNo: covered + 1, lastAuditNo: covered + rows },
        missingRows: 0,
        reused: Math.min(rows, gone),
      });
      const names = (await heads.rows(covered + 1, covered + rows)).map(
        ({ controllerId }) => controllerId,
      );
      expect(names).toEqual(names.map((_, at) => `controller-${covered + 1 + at}`));
      await write(1);
      await seal();
      expect((await verify()).problems).toEqual([
        'row 8 was removed',
        'row 9 was removed',
        'the rows of head 4 (10 to 11) were removed, and no signed record says that they were removed by retention',
      ]);
    },
  );

  it('are sealed soon, even if all of them have numbers of deleted rows', async () => {
    const { write, clock, heads } = await makeShortened(8);
    await write(1);
    expect(await createSealDue(heads.unsealed).isDue(clock.now + 3000)).toBe(true);
  });

  it('are not mistaken for covered rows if the clock was set back before these were sealed', async () => {
    const { write, sealAudit, verify, clock, heads } = await makeSealedLog();
    await write(2);
    clock.now -= 60_000;
    await sealAudit(clock.now);
    await write(1);
    expect(await sealAudit(clock.now)).toMatchObject({ reused: 0, missingRows: 0 });
    expect((await verify()).problems).toEqual([]);
    expect(await heads.unsealed()).toBeUndefined();
  });
});
