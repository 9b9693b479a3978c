// Rows of the audit log are numbered without gaps. A small gap means that rows were removed. A large gap means
// that someone inserted a row with a number of their own, from which later rows were counted on.

/** More rows than this are never added within seconds, so a number beyond it is not one of ours. */
export const MAX_MISSING = 10_000;

/** How many of these ordered rows are numbered consecutively from `first`. */
export function findBreak(rows: readonly { readonly auditNo: number }[], first: number): number {
  let expected = first;
  for (const [index, { auditNo }] of rows.entries()) {
    if (auditNo - expected > MAX_MISSING) return index;
    expected = auditNo + 1;
  }
  return rows.length;
}

/** The consecutive numbers behind a row that was set aside: these rows get new numbers. */
export function followers(numbers: readonly bigint[], setAside: bigint): bigint[] {
  let before = setAside;
  const end = numbers.findIndex((number) => {
    const isBreak = number - before > BigInt(MAX_MISSING) + 1n;
    before = number;
    return isBreak;
  });
  return numbers.slice(0, end === -1 ? numbers.length : end);
}
