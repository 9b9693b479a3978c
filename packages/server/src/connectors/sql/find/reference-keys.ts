// Decides when a child's values and a parent's are the same reference. The database does not decide,
// because its operators treat 00123 as 123, or ignore case.
import type { KeyRow } from '../../../domain/target/connector.ts';
import { canonicalUuid } from '../canonical-value.ts';
import type { ColumnShape, ForeignOperator } from '../catalogue.ts';
import { cutEnd } from '../cut-end.ts';
import type { Bind, SqlDialect } from '../dialect.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { type Comparison, isFolded } from '../plan/compare-columns.ts';
import type { ComparedColumns, JoinedTables, PlannedVia } from '../plan/plan.ts';
import { TABLE_OF_ROWS } from '../plan/uniqueness.ts';
import { referenceText } from './found-rows.ts';

export interface ReferenceKey {
  /** The same for all spellings that the rule treats as equal. */
  readonly key: string;
  /** Not in the spelling that the rule requires: must be neither trusted nor ignored. */
  readonly isOdd: boolean;
}

export function isExact({ comparisons }: Pick<PlannedVia, 'comparisons'>): boolean {
  return comparisons.every((comparison) => comparison === 'exact');
}

const BY_TEXT: ReadonlySet<Comparison> = new Set(['exact', 'folded']);

/** Some are compared by their texts: a row that the database finds with another text is ambiguous. */
export function isByText({ comparisons }: Pick<PlannedVia, 'comparisons'>): boolean {
  return comparisons.some((comparison) => BY_TEXT.has(comparison));
}

/**
 * Whether everything that a statement finds equals one whole reference for the database. Otherwise each column may
 * equal that of a different reference.
 */
export function findsWhole(via: Pick<PlannedVia, 'comparisons'>, references: number): boolean {
  return references === 1 || via.comparisons.length === 1 || isExact(via);
}

/** Undefined if a value is NULL, or can equal nothing on the other side. */
export function referenceKey(
  dialect: SqlDialect,
  via: PlannedVia,
  values: KeyRow,
  side: 'parent' | 'child',
): ReferenceKey | undefined {
  if (isExact(via)) {
    const key = referenceText(values);
    return key === undefined ? undefined : { key, isOdd: false };
  }
  const columns = side === 'parent' ? via.parentColumns : via.columns;
  const others = side === 'parent' ? via.columns : via.parentColumns;
  const parts: string[] = [];
  let isOdd = false;
  for (const [place, column] of columns.entries()) {
    const text = values[place];
    if (text === null || text === undefined) return undefined;
    const part = partOf(dialect, via.comparisons[place] ?? 'exact', column, others[place], text);
    if (part === undefined) return undefined;
    parts.push(part.key);
    isOdd ||= part.isOdd;
  }
  return { key: JSON.stringify(parts), isOdd };
}

function partOf(
  dialect: SqlDialect,
  comparison: Comparison,
  column: ColumnShape,
  opposite: ColumnShape | undefined,
  text: string,
): ReferenceKey | undefined {
  if (comparison === 'exact' || comparison === 'folded' || comparison === 'foreign')
    return { key: text, isOdd: false };
  const plain = dialect.plainKey(text);
  if (comparison === 'uuid') {
    const key = canonicalUuid(plain);
    return key === undefined ? undefined : { key, isOdd: false };
  }
  // On SQLite, where keys have a prefix, a number column may also hold texts and bytes; they equal only themselves.
  const isPrefixed = plain !== text;
  const number = isPrefixed && /^[bx]:/.test(text) ? undefined : dialect.readNumber(plain);
  if (number === undefined)
    return isPrefixed ? { key: foldedText(column, opposite, text), isOdd: false } : undefined;
  // A number column has one spelling for each number; only a text can have another.
  return { key: number.canonical, isOdd: column.kind === 'text' && !number.isCanonical };
}

/** A text in a column of numbers, if the collation of either side treats others as equal. */
function foldedText(column: ColumnShape, other: ColumnShape | undefined, text: string): string {
  if (!text.startsWith('t:') || !isFolded(column, other ?? column)) return text;
  return cutEnd(text, ' ').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Whether a row that the database found for these references, with other values, may equal one of them. Numbers and
 * UUIDs have one key for all spellings, so only texts may be spelled differently.
 */
export function mayBeSpelt(
  dialect: SqlDialect,
  via: PlannedVia,
  row: KeyRow,
  side: 'parent' | 'child',
  references: readonly KeyRow[],
): boolean {
  const [own, other] =
    side === 'parent' ? [via.parentColumns, via.columns] : [via.columns, via.parentColumns];
  return via.comparisons.every((comparison, place) => {
    const [column, opposite] = [own[place], other[place]];
    if (comparison !== 'number' && comparison !== 'uuid') return true;
    if (column === undefined || opposite === undefined) return true;
    const key = (of: ColumnShape, to: ColumnShape, text: string | null | undefined) =>
      typeof text === 'string' ? partOf(dialect, comparison, of, to, text)?.key : undefined;
    const wanted = key(column, opposite, row[place]);
    return references.some((reference) => key(opposite, column, reference[place]) === wanted);
  });
}

/** Whether such texts have one key although they differ. */
export function isSpeltOtherwise(via: PlannedVia, parent: KeyRow, child: KeyRow): boolean {
  const isText = (text: string | null | undefined) => text?.startsWith('t:') === true;
  return via.columns.some((column, place) => {
    if (via.comparisons[place] !== 'number') return false;
    const [above, below] = [parent[place], child[place]];
    return (
      isFolded(column, via.parentColumns[place] ?? column) &&
      isText(above) &&
      isText(below) &&
      above !== below
    );
  });
}

/**
 * Added before a condition on referring rows if the foreign key applies only to some of the table's rows.
 */
export function amongParts(rowsIn: readonly string[] | null): string {
  return rowsIn === null ? '' : `${TABLE_OF_ROWS} IN (${rowsIn.join(', ')}) AND `;
}

/** The condition on a child's columns that finds at least the rows that refer to these parents. */
export function amongReferences(
  dialect: SqlDialect,
  via: ComparedColumns,
  references: readonly KeyRow[],
  bind: Bind,
): string {
  if (isExact(via)) return dialect.amongKeys(via.columns, references, bind);
  if (via.joined !== null) return amongJoined(dialect, via, via.joined, references, bind);
  return amongEach(dialect, via, references, bind);
}

/** The reverse: parents to which these children refer. */
export function amongParents(
  dialect: SqlDialect,
  via: PlannedVia,
  references: readonly KeyRow[],
  bind: Bind,
): string {
  if (isExact(via)) return dialect.amongKeys(via.parentColumns, references, bind);
  const swapped = { ...via, columns: via.parentColumns, parentColumns: via.columns };
  if (via.joined?.isReversed) {
    const { parent, child, operators } = via.joined;
    const joined = { parent: child, child: parent, operators, isReversed: false };
    return amongJoined(dialect, swapped, joined, references, bind);
  }
  if (via.joined !== null) {
    const { operators } = via.joined;
    const pairs = via.columns.flatMap((column, place) => {
      const parentColumn = via.parentColumns[place];
      return parentColumn === undefined ? [] : { column, parentColumn, operator: operators[place] };
    });
    return dialect.amongForeign(pairs, references, bind);
  }
  return amongEach(dialect, swapped, references, bind);
}

/** Whether the foreign key treats the two as equal. */
export function equalSql(
  dialect: SqlDialect,
  { joined, parentColumns }: Pick<ComparedColumns, 'joined' | 'parentColumns'>,
  place: number,
  parent: string,
  child: string,
): string {
  const operator = joined?.operators[place] ?? ownEquality(parentColumns[place]);
  return joined?.isReversed
    ? dialect.refersTo(child, parent, operator)
    : dialect.refersTo(parent, child, operator);
}

function ownEquality(column: ColumnShape | undefined): ForeignOperator | undefined {
  if (column?.equals === undefined) return undefined;
  const { equals: sql, type, baseType = type } = column;
  return { sql, parentType: null, childType: baseType, collation: null };
}

/** An alias that is not the name of a table. */
const PARENT = 'unwrite_parent';

/** Rows that the foreign key itself treats as children of these parents. */
function amongJoined(
  dialect: SqlDialect,
  { columns, parentColumns }: ComparedColumns,
  joined: JoinedTables,
  references: readonly KeyRow[],
  bind: Bind,
): string {
  const { parent, child } = joined;
  const own = { joined, parentColumns };
  const pairs = columns.map(({ name }, place) => {
    const above = `${PARENT}.${dialect.quote(parentColumns[place]?.name ?? '')}`;
    return equalSql(dialect, own, place, above, `${child}.${dialect.quote(name)}`);
  });
  const among = dialect.amongKeys(parentColumns, references, bind);
  return `EXISTS (SELECT 1 FROM ${parent} ${PARENT} WHERE ${[...pairs, among].join(' AND ')})`;
}

function amongEach(
  dialect: SqlDialect,
  { columns, parentColumns, comparisons }: ComparedColumns,
  references: readonly KeyRow[],
  bind: Bind,
): string {
  return columns
    .map((column, place) => {
      const comparison = comparisons[place] ?? 'exact';
      const other = parentColumns[place] ?? column;
      const isExactly = comparison === 'exact' || comparison === 'foreign';
      const texts = references.flatMap((reference) => {
        const text = reference[place];
        if (typeof text !== 'string') return [];
        return isExactly ? text : (partOf(dialect, comparison, other, column, text)?.key ?? []);
      });
      const distinct = [...new Set(texts)];
      if (distinct.length === 0) return '1 = 0';
      return isExactly
        ? dialect.amongKeys(
            [column],
            distinct.map((text) => [text]),
            bind,
          )
        : dialect.amongLoosely(column, comparison, distinct, bind, other);
    })
    .join(' AND ');
}

/** Whether the child's columns can hold the values at all: searching for others would be an error. */
export function canRefer(dialect: SqlDialect, via: PlannedVia, reference: KeyRow): boolean {
  return canHoldAll(dialect, via, via.columns, reference);
}

export function canBeReferredTo(dialect: SqlDialect, via: PlannedVia, reference: KeyRow): boolean {
  return canHoldAll(dialect, via, via.parentColumns, reference);
}

function canHoldAll(
  dialect: SqlDialect,
  { comparisons }: PlannedVia,
  columns: readonly ColumnShape[],
  reference: KeyRow,
): boolean {
  return columns.every((column, place) => {
    const text = reference[place];
    if (typeof text !== 'string') return false;
    return comparisons[place] !== 'exact' || dialect.canHoldKey(column, text);
  });
}

/** `table`: the table of the referring row, if known. */
export function ambiguous(
  { parent, columns, parentColumns }: PlannedVia,
  table?: string,
): NeedsDecision {
  const namesOf = (list: readonly ColumnShape[]) => list.map(({ name }) => name).join(', ');
  const row = table === undefined ? 'a row' : `a row of ${table}`;
  return new NeedsDecision(
    'ambiguous_reference',
    `${row} refers by ${namesOf(columns)} to ${namesOf(parentColumns)} of ${parent} with a value that is written differently there; write both alike, or declare a foreign key that takes them for equal, then release`,
  );
}
