// InnoDB's foreign keys compare what two columns store, byte by byte: the numbers of an enumeration, a year as its
// distance from 1900. It allows keys between types that store one value differently, such as two enumerations whose
// texts are in another order, or an enumeration and a TINYINT. CHAR is stored with blanks at its end, which count under
// MariaDB's NOPAD collations and MySQL's of the version 0900, although statements do not see them.
import type { ColumnShape } from '../sql/catalogue.ts';

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

/**
 * With MySQL's usual collations, a key between CHAR and VARCHAR works for texts as long as the CHAR, and for others in
 * part: with a VARCHAR that ends with blanks go the rows whose CHAR has the text without them, and with a shorter CHAR the
 * rows whose VARCHAR ends with the blanks that fill it up.
 */
export function isPaddedOtherwise(
  parent: ColumnShape,
  child: ColumnShape,
): ((text: string) => boolean) | null {
  const length = lengthOfChar(parent);
  if ((length === undefined) === (lengthOfChar(child) === undefined)) return null;
  if (!parent.collation?.includes('_0900_')) return null;
  return (text) =>
    length === undefined ? text.endsWith(' ') : Buffer.byteLength(text) < Number(length);
}

function lengthOfChar({ type }: ColumnShape): string | undefined {
  return /^char\((\d+)\)/.exec(type)?.[1];
}
