// How the two sides of a reference are compared: one rule for all databases, whatever their operators
// would make of two types.
import type { ColumnShape } from '../catalogue.ts';

/**
 * `exact`: character by character. `folded`: the same, where the database ignores the case of one side.
 * `number`: by value, in canonical decimal notation. `uuid`: as UUIDs, however they are written. `untyped`: as
 * texts, where SQLite makes a text of a number in a column without a type.
 */
export type Comparison = 'exact' | 'folded' | 'number' | 'uuid' | 'untyped';

const IS_INEXACT = /^(?:float|double|real)/i;
const NUMBERS = new Set(['integer', 'decimal']);

/** Undefined where no rule says when two such values are equal. */
export function comparisonOf(parent: ColumnShape, child: ColumnShape): Comparison | undefined {
  const kinds = new Set([parent.kind, child.kind]);
  if (kinds.size > 1) return mixedComparison(kinds);
  switch (parent.kind) {
    case 'text':
      // A domain over it is looked for by its text, as its own checks would refuse other values.
      if (!isPlainText(parent, child)) return 'folded';
      return (parent.type === '') === (child.type === '') ? 'exact' : 'untyped';
    case 'integer':
      // Such a column's text has zeros in front.
      return [parent, child].some(({ type }) => /zerofill/i.test(type)) ? 'number' : 'exact';
    case 'decimal':
      // Without a scale, 7.0 and 7.00 are two texts of one number.
      return parent.type === child.type && parent.type.includes(',') ? 'exact' : 'number';
    case 'other':
      return parent.type === child.type && !IS_INEXACT.test(parent.type) ? 'exact' : undefined;
    default:
      return 'exact';
  }
}

function mixedComparison(kinds: ReadonlySet<ColumnShape['kind']>): Comparison | undefined {
  const others = [...kinds].filter((kind) => !NUMBERS.has(kind));
  if (others.length === 0) return 'number';
  if (others.length === 1) return others[0] === 'text' ? 'number' : undefined;
  return kinds.has('text') && kinds.has('uuid') ? 'uuid' : undefined;
}

const SQLITE_CASELESS = 'NOCASE';

/** Whether a unique index on it takes upper and lower case for equal, as `folded` does. */
export function ignoresCase({ isCaseless, collation }: ColumnShape): boolean {
  return isCaseless === true || collation === SQLITE_CASELESS;
}

function isPlainText(parent: ColumnShape, child: ColumnShape): boolean {
  // SQLite compares the two sides of a key by the parent's collation, whatever the child's.
  if (parent.collation === SQLITE_CASELESS) return false;
  const isCitext = ({ type }: ColumnShape) => type.endsWith('citext');
  if (isCitext(parent) && isCitext(child)) return true;
  return ![parent, child].some((column) => column.isCaseless === true || isCitext(column));
}
