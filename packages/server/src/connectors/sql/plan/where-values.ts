// The values of a table's `where` as texts, compared exactly: what a collation or conversion of the database treats
// as equal does not matter.
import type { WhereConfig, WhereValue } from '../../../domain/target/target.ts';
import { canonicalUuid, readNumber } from '../canonical-value.ts';
import type { ColumnShape } from '../catalogue.ts';
import type { Spelling } from '../dialect-rules.ts';

export interface PlannedWhere {
  /** The column with the values. */
  readonly column: ColumnShape;
  /** If that is a column of another table: the own column, and the key to which it refers there. */
  readonly through?: {
    readonly own: ColumnShape;
    readonly table: string;
    readonly sqlName: string;
    readonly key: ColumnShape;
  };
  /** In the form of `storedText`. */
  readonly texts: ReadonlySet<string>;
  readonly hasNull: boolean;
  /** For `not`: a row must have none of the values. */
  readonly isNot: boolean;
}

/** `text`: the stored value as the database writes it, or null. */
export function fitsWhere({ column, texts, hasNull, isNot }: PlannedWhere, text: string | null) {
  const isOne = text === null ? hasNull : texts.has(storedText(column, text));
  return isOne !== isNot;
}

/** The part of a dialect that says how it writes a value. */
interface WrittenValues {
  readonly spelling: Spelling;
  canHoldText(column: ColumnShape, text: string): boolean;
}

/** Undefined if the column cannot hold such a value, or its values cannot be compared exactly. */
export function whereText(
  dialect: WrittenValues,
  column: ColumnShape,
  value: Exclude<WhereValue, null>,
): string | undefined {
  switch (column.kind) {
    case 'text':
      if (typeof value === 'boolean' && column.type !== '') return undefined;
      return fitsLength(column, plainText(value)) ? plainText(value) : undefined;
    case 'integer':
    case 'decimal': {
      if (typeof value === 'boolean' && column.kind === 'decimal') return undefined;
      const number = readNumber(plainText(value))?.canonical;
      return number !== undefined && dialect.canHoldText(column, number) ? number : undefined;
    }
    case 'uuid':
      return canonicalUuid(String(value));
    case 'binary':
      return undefined;
    case 'other':
      return otherText(dialect, column, value);
  }
}

function plainText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? String(Number(value)) : String(value);
}

function fitsLength({ maxLength }: ColumnShape, text: string): boolean {
  return maxLength === null || [...text].length <= maxLength;
}

/** Types with many spellings of one value, or whose values are not exact. */
const SPELT_IN_MANY_WAYS =
  /^(?:date|time|interval|year|real|double|float|json|xml|bit|geometry|point|money|set\()|\[\]$/i;

function otherText(
  { spelling }: WrittenValues,
  column: ColumnShape,
  value: string | number | boolean,
): string | undefined {
  const { type, base = type } = column;
  if (spelling.isBitNumber && base === 'bit') return bitsText(type, value);
  if (isTruth(column)) {
    if (!/^(?:true|false|0|1)$/.test(String(value))) return undefined;
    const isTrue = /^(?:true|1)$/.test(String(value));
    return spelling.truth[isTrue ? 'true' : 'false'];
  }
  if (typeof value !== 'string' || [type, base].some((name) => SPELT_IN_MANY_WAYS.test(name)))
    return undefined;
  // MySQL includes the labels of an enumeration in its type.
  const hasLabel = type.includes(`'${value.replaceAll("'", "''")}'`);
  return /^enum\(/i.test(type) && !hasLabel ? undefined : value;
}

/** As a number: many applications write truth values to MySQL's BIT(1). */
function bitsText(type: string, value: string | number | boolean): string | undefined {
  const text = /^(?:true|false)$/.test(String(value)) ? plainText(String(value) === 'true') : value;
  const number = readNumber(String(text))?.canonical;
  const [, bits = '1'] = /\((\d+)\)/.exec(type) ?? [];
  if (number === undefined || !/^\d+$/.test(number)) return undefined;
  return BigInt(number) < 1n << BigInt(bits) ? number : undefined;
}

function isTruth({ type, base = type }: ColumnShape): boolean {
  return /^bool/i.test(base);
}

/** A stored value, as the database writes it, in its canonical spelling. */
export function storedText(column: ColumnShape, text: string): string {
  const { kind } = column;
  if (kind === 'uuid') return canonicalUuid(text) ?? text;
  const isNumber = kind === 'integer' || kind === 'decimal';
  return isNumber || (isTruth(column) && /\d/.test(text))
    ? (readNumber(text)?.canonical ?? text)
    : text;
}

/** The column of the entry's own table. */
export function whereColumn({ column, through }: PlannedWhere): ColumnShape {
  return through?.own ?? column;
}

/** For people, and in intents. */
export function whereName({ column, through }: PlannedWhere): string {
  return through === undefined
    ? column.name
    : `${through.own.name}.${through.table}.${column.name}`;
}

/** In the form of an intent: the same text for equal conditions. */
export function writtenWhere(where: readonly PlannedWhere[]): WhereConfig {
  return Object.fromEntries(
    where.map((one) => {
      const { texts, hasNull, isNot } = one;
      const values = [...[...texts].sort(), ...(hasNull ? [null] : [])];
      return [whereName(one), isNot ? { not: values } : values];
    }),
  );
}
