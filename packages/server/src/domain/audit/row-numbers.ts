// Rows of the audit log are numbered without gaps. A small gap: rows were removed. A large one: somebody wrote a row with a
// number of his own, and whatever came after it counted on from there.

/** No few seconds bring more; a row beyond is not taken for one of ours. */
export const MAX_MISSING = 10_000;

/** How many of the rows, in order, follow each other from `first` on without a break. */
export function findBreak(rows: readonly { readonly auditNo: number }[], first: number): number {
  let expected = first;
  for (const [index, { auditNo }] of rows.entries()) {
    if (auditNo - expected > MAX_MISSING) return index;
    expected = auditNo + 1;
  }
  return rows.length;
}

/** The numbers that came after a row that was set aside, as far as they follow it: they get new ones. */
export function followers(numbers: readonly bigint[], setAside: bigint): bigint[] {
  let before = setAside;
  const end = numbers.findIndex((number) => {
    const isBreak = number - before > BigInt(MAX_MISSING) + 1n;
    before = number;
    return isBreak;
  });
  return numbers.slice(0, end === -1 ? numbers.length : end);
}
