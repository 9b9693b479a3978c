// A log of three heads, in the present format and the one before.
import { knownOf, makeAuditWorld } from './audit-world.ts';
import { sealOld } from './seal-old.ts';

export type Format = 'with a tree' | 'of version 1';
export const FORMATS: readonly Format[] = ['with a tree', 'of version 1'];

/** Rows 1 to 3, 4 to 6 and 7 to 9 under heads 1, 2 and 3, then rows 10 and 11. */
export async function makeSealedLog(format: Format = 'with a tree') {
  const world = await makeAuditWorld();
  const sealThree = async () => {
    await world.write(3);
    if (format === 'with a tree') return knownOf(await world.seal());
    return knownOf(await sealOld(world.heads, world.signer, ++world.clock.now));
  };
  await sealThree();
  await sealThree();
  const last = await sealThree();
  await world.write(2);
  return { ...world, last };
}

export const SWAP = (a: number, b: number) => [
  `UPDATE audit_rows SET audit_no = 1000 WHERE audit_no = ${a}`,
  `UPDATE audit_rows SET audit_no = ${a} WHERE audit_no = ${b}`,
  `UPDATE audit_rows SET audit_no = ${b} WHERE audit_no = 1000`,
];
export const INSERT = (no: number | string) =>
  `INSERT INTO audit_rows (audit_no, time, actor, action) VALUES (${no}, 0, 'system', 'task.erased')`;
