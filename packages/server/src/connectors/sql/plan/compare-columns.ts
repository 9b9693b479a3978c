// How the two sides of a reference are compared: one rule for all databases, although their operators differ.
import type { ColumnShape } from '../catalogue.ts';

/**
 * `exact`: character by character. `folded`: the same, but the database may use the collation of either side.
 * `number`: by value, in canonical decimal notation. `uuid`: as UUIDs in any spelling. `foreign`: by the database
 * itself, as its foreign key does.
 */
export type Comparison = 'exact' | 'folded' | 'number' | 'uuid' | 'foreign';

const IS_INEXACT = /^(?:float|double|real)/i;
/** The databases have no equality operator for these, or one that compares areas. */
const HAS_NO_EQUALITY =
  /^(?:point|line|lseg|box|path|polygon|circle|json|xml|geometry|linestring|multi\w+|geom\w+)\b/i;
const NUMBERS = new Set(['integer', 'decimal']);

/** Undefined if no rule says when two such values are equal. */
export function comparisonOf(parent: ColumnShape, child: ColumnShape): Comparison | undefined {
  const kinds = new Set([parent.kind, child.kind]);
  if (kinds.size > 1) return mixedComparison(kinds);
  switch (parent.kind) {
    case 'text':
      if (!areReadAlike(parent, child) || isUntyped(parent) !== isUntyped(child)) return undefined;
      // A domain over it is searched for as text, because its own checks would refuse other values.
      if (!isPlainText(parent, child)) return 'folded';
      if (storesNumbers(parent) !== storesNumbers(child)) return 'number';
      return 'exact';
    case 'integer':
      // The text of such a column has leading zeros.
      return [parent, child].some(({ type }) => /zerofill/i.test(type)) ? 'number' : 'exact';
    case 'decimal':
      // Without a scale, 7.0 and 7.00 are two texts of one number.
      return parent.type === child.type && parent.type.includes(',') ? 'exact' : 'number';
    case 'other':
      return baseOf(parent) === baseOf(child) &&
        !IS_INEXACT.test(parent.type) &&
        !HAS_NO_EQUALITY.test(baseOf(parent))
        ? 'exact'
        : undefined;
    default:
      return 'exact';
  }
}

/**
 * For MySQL, two codes may be one character when compared with another character set, but two characters
 * within their own.
 */
function areReadAlike(parent: ColumnShape, child: ColumnShape): boolean {
  const isAmbiguous = [parent, child].some(({ encoding }) => encoding?.isAmbiguous === true);
  return !isAmbiguous || parent.encoding?.name === child.encoding?.name;
}

function baseOf({ type, baseType = type }: ColumnShape): string {
  return baseType;
}

/** If a foreign key treats two values as equal, that is a reference, even if the rules above differ. */
export function foreignComparison(parent: ColumnShape, child: ColumnShape): Comparison | undefined {
  const own = comparisonOf(parent, child);
  if (parent.equality === undefined) return own;
  return own === 'exact' && parent.equality === child.equality ? own : 'foreign';
}

function mixedComparison(kinds: ReadonlySet<ColumnShape['kind']>): Comparison | undefined {
  const others = [...kinds].filter((kind) => !NUMBERS.has(kind));
  if (others.length === 0) return 'number';
  if (others.length === 1) return others[0] === 'text' ? 'number' : undefined;
  return kinds.has('text') && kinds.has('uuid') ? 'uuid' : undefined;
}

/** In columns of unknown types (STRING, UUID) SQLite stores a text that looks like a number as one: 007 becomes 7. */
function storesNumbers({ equality = '' }: ColumnShape): boolean {
  return equality.startsWith('numeric ');
}

/** SQLite makes a text of a number in a text column, and not in one without a type: 1 is not '1' there. */
const isUntyped = ({ type }: ColumnShape): boolean => type === '';

/** SQLite's own collations, besides the one that compares character by character. */
const SQLITE_LOOSE = new Set(['NOCASE', 'RTRIM']);

/** Whether SQLite may treat two texts as equal that differ in case or in trailing blanks. */
export function isFolded(column: ColumnShape, other: ColumnShape): boolean {
  return isLoose(column) || isLoose(other);
}

function isLoose({ collation }: ColumnShape): boolean {
  return collation !== null && SQLITE_LOOSE.has(collation);
}

/**
 * PostgreSQL's char(n) ignores trailing blanks; compared with another text, it ignores those of that text
 * too.
 */
export function isPadded({ base }: ColumnShape): boolean {
  return base === 'bpchar';
}

/** Two different texts may be the same number, the same UUID, or the same text for the other side. */
export function mayMeanSeveral(
  comparison: Comparison,
  parent: ColumnShape,
  child: ColumnShape,
): boolean {
  if (comparison === 'exact' || comparison === 'foreign' || parent.kind !== 'text') return false;
  if (comparison === 'number' && storesNumbers(parent)) return false;
  return comparison !== 'folded' || !isUniqueFolded(parent, child);
}

/** Whether a unique index on it treats the same values as equal as `folded` does. */
function isUniqueFolded(parent: ColumnShape, child: ColumnShape): boolean {
  if (parent.isCaseless === true) return true;
  if (!isLoose(parent) && !isLoose(child) && child.isCaseless !== true) return true;
  return isLoose(parent) && (!isLoose(child) || child.collation === parent.collation);
}

function isPlainText(parent: ColumnShape, child: ColumnShape): boolean {
  // SQLite compares two columns by the collation of the one that a statement names first.
  if (isLoose(parent) || isLoose(child)) return false;
  if (isPadded(parent) !== isPadded(child)) return false;
  // MySQL compares texts of two character sets by the collation of the wider one, whichever side that is.
  if (parent.encoding?.name !== child.encoding?.name) return false;
  // PostgreSQL compares with a text of the default collation by the other one's.
  if (parent.looseCollation !== child.looseCollation) return false;
  const isCaseless = (column: ColumnShape) => column.isCaseless === true;
  return isCaseless(parent) === isCaseless(child);
}
