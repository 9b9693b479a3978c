// InnoDB's foreign keys compare what two columns store, byte by byte: the numbers of an enumeration, a year as its
// distance from 1900. It allows keys between types that store one value differently, such as two enumerations whose
// texts are in another order, or an enumeration and a TINYINT. CHAR is stored with blanks at its end, which count under
// MariaDB's NOPAD collations, although statements do not see them.
const FAMILIES = [
  /^(?:tiny|small|medium|big)?int(?:\(|\s|$)/,
  /^(?:(?:var)?char\(|(?:tiny|medium|long)?text)/,
  /^(?:(?:var)?binary\(|(?:tiny|medium|long)?blob)/,
];

/** Both store a value in the same way, so that the key means the values that are shown. */
export function isStoredAlike(type: string, other: string, collation: string): boolean {
  if (type === other) return true;
  const isPadded = (one: string) => one.startsWith('char(');
  if (collation.includes('_nopad_') && isPadded(type) !== isPadded(other)) return false;
  return FAMILIES.some((family) => family.test(type) && family.test(other));
}
