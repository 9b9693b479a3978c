// Two nodes: one replaces the key and seals while the other is about to.
import { expect, it } from 'vitest';
import { loadProofSigner } from '../../src/audit/proof-key.ts';
import { createSealAudit } from '../../src/audit/seal-audit.ts';
import { makeAuditWorld } from './audit-world.ts';

async function makeTwoNodes() {
  const world = await makeAuditWorld();
  const { store, sealer, heads, clock } = world;
  const other = await loadProofSigner(store, sealer, clock.now);
  const sealHere = createSealAudit(heads, world.signer, world.signer.verify);
  const sealThere = createSealAudit(heads, other, other.verify);
  return {
    ...world,
    sealHere,
    /** Replaces the key, and signs the next head with it. */
    async rotateAndSealThere() {
      await world.write(2);
      await other.rotate({ actor: 'system', now: clock.now });
      return other.withNewestKeys(() => sealThere(clock.now));
    },
  };
}

it('a head by a key that was published while the log was read is ours', async () => {
  const { signer, sealHere, rotateAndSealThere, write, seal, clock } = await makeTwoNodes();
  await write(2);
  await seal();
  let runs = 0;
  const sealed = await signer.withNewestKeys(async () => {
    if (runs++ === 0) await rotateAndSealThere();
    await write(1);
    return sealHere(clock.now);
  });
  expect(runs).toBe(2);
  expect(sealed).toMatchObject({ head: { headNo: 3 } });
});

it('an older key that was put back signs nothing, even in a process that has not seen the newer key', async () => {
  const { store, signer, sealHere, rotateAndSealThere, write, seal, tamper, clock } =
    await makeTwoNodes();
  await write(2);
  await seal();
  const own = `FROM own_secrets WHERE name = 'proof signing key'`;
  tamper(`CREATE TABLE before AS SELECT * ${own}`);
  await rotateAndSealThere();
  tamper(`DELETE ${own}`, 'INSERT INTO own_secrets SELECT * FROM before');
  await write(1);
  await expect(signer.withNewestKeys(() => sealHere(clock.now))).rejects.toThrow(
    'it is key 1, and key 2',
  );
  expect(await store.proofKeys.proofKeys()).toHaveLength(2);
});

it('a head signed by an unpublished key stops sealing', async () => {
  const { signer, sealHere, write, seal, tamper, clock } = await makeTwoNodes();
  await write(2);
  await seal();
  tamper(
    'CREATE TEMP TABLE added AS SELECT * FROM audit_heads WHERE head_no = 1',
    `UPDATE added SET head_no = 2, first_audit_no = 3, last_audit_no = 3, key_id = '${'ab'.repeat(16)}'`,
    'INSERT INTO audit_heads SELECT * FROM added',
  );
  await write(1);
  await expect(signer.withNewestKeys(() => sealHere(clock.now))).rejects.toThrow(
    'head 2 of the audit log is not signed by Unwrite',
  );
});

it('a head by a key that came after a foreign one was found is ours', async () => {
  const { signer, sealHere, rotateAndSealThere, write, seal, clock } = await makeTwoNodes();
  await write(2);
  await seal();
  const bytes = Buffer.from('signed');
  let runs = 0;
  const sealed = await signer.withNewestKeys(async () => {
    signer.verify('ab'.repeat(32), bytes, bytes);
    if (runs++ === 0) await rotateAndSealThere();
    await write(1);
    return sealHere(clock.now);
  });
  expect(runs).toBe(2);
  expect(sealed).toMatchObject({ head: { headNo: 3 } });
});

it('a foreign key that one work has found tells another nothing about a new key of ours', async () => {
  const { signer, store, sealer, clock } = await makeTwoNodes();
  const other = await loadProofSigner(store, sealer, clock.now);
  const bytes = Buffer.from('signed');
  const found = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const withForeign = signer.withNewestKeys(async () => {
    const isOurs = signer.verify('ab'.repeat(32), bytes, bytes);
    found.resolve();
    await done.promise;
    return isOurs;
  });
  await found.promise;
  let runs = 0;
  const isNewOurs = await signer.withNewestKeys(async () => {
    if (runs++ === 0) await other.rotate({ actor: 'system', now: clock.now });
    return signer.verify(other.keyId, bytes, other.sign(bytes));
  });
  done.resolve();
  expect([await withForeign, isNewOurs]).toEqual([false, true]);
});
