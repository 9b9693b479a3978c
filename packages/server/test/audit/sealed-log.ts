// A log of three heads.
import { knownOf, makeAuditWorld } from './audit-world.ts';

/** Rows 1 to 3, 4 to 6 and 7 to 9 under heads 1, 2 and 3, then rows 10 and 11. */
export async function makeSealedLog() {
  const world = await makeAuditWorld();
  const sealThree = async () => {
    await world.write(3);
    return knownOf(await world.seal());
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
