// How the columns of one reference are compared with its parent's: by our own rules or, if a foreign key
// between different types or collations is behind it, by the database.
import type { ColumnShape, ForeignKey } from '../catalogue.ts';
import { type Comparison, comparisonOf, foreignComparison } from './compare-columns.ts';
import type { JoinedTables } from './plan.ts';

export interface ColumnPair {
  readonly column: ColumnShape;
  readonly parentColumn: ColumnShape;
}

export interface ComparedReference {
  /** Undefined for a pair that cannot be compared. */
  readonly comparisons: readonly (Comparison | undefined)[];
  readonly joined: JoinedTables | null;
}

/** `names`: of both tables, as statements write them. `isReversed`: the parent's rows refer by the key. */
export function compareReference(
  pairs: readonly ColumnPair[],
  key: ForeignKey | undefined,
  names: Pick<JoinedTables, 'parent' | 'child'>,
  isReversed = false,
): ComparedReference {
  const comparisons = pairs.map(({ parentColumn, column }) => {
    if (key === undefined) return comparisonOf(parentColumn, column);
    return isReversed
      ? foreignComparison(column, parentColumn)
      : foreignComparison(parentColumn, column);
  });
  if (key === undefined || !comparisons.includes('foreign')) return { comparisons, joined: null };
  const operators = pairs.map(({ column, parentColumn }) => {
    const { name } = isReversed ? parentColumn : column;
    return key.operators?.[key.columns.indexOf(name)];
  });
  return { comparisons: pairs.map(() => 'foreign'), joined: { ...names, operators, isReversed } };
}
