import { describe, expect, it } from 'vitest';
import type { ColumnKind, ColumnShape } from '../../../../src/connectors/sql/catalogue.ts';
import { comparisonOf } from '../../../../src/connectors/sql/plan/compare-columns.ts';

function column(kind: ColumnKind, type: string = kind): ColumnShape {
  return {
    name: 'it',
    kind,
    type,
    isNullable: true,
    isGenerated: false,
    maxLength: null,
    collation: null,
  };
}

const DATE = column('other', 'date');
const TIME = column('other', 'timestamp');
const TEXT = column('text');
const CITEXT = { ...column('text', 'public.citext'), isCaseless: true };
const INTEGER = column('integer');
const ZEROFILL = column('integer', 'int(5) unsigned zerofill');
const DECIMAL = column('decimal', 'decimal(10,2)');
const NUMERIC = column('decimal', 'numeric');
const UUID = column('uuid');
const BYTES = column('binary', 'bytea');
const FLOAT = column('other', 'double precision');

describe('how two columns are compared', () => {
  it.each([
    ['texts', TEXT, TEXT, 'exact'],
    ['texts of which one ignores case', TEXT, CITEXT, 'folded'],
    ['texts that both ignore case', CITEXT, CITEXT, 'exact'],
    ['integers', INTEGER, INTEGER, 'exact'],
    ['integers with zeros in front', INTEGER, ZEROFILL, 'number'],
    ['decimals of one scale', DECIMAL, DECIMAL, 'exact'],
    ['decimals without a scale', NUMERIC, NUMERIC, 'number'],
    ['decimals of two scales', DECIMAL, NUMERIC, 'number'],
    ['an integer and a decimal', INTEGER, DECIMAL, 'number'],
    ['text and an integer', TEXT, INTEGER, 'number'],
    ['text and a decimal', TEXT, DECIMAL, 'number'],
    ['text and a UUID', TEXT, UUID, 'uuid'],
    ['UUIDs', UUID, UUID, 'exact'],
    ['bytes', BYTES, BYTES, 'exact'],
    ['dates', DATE, DATE, 'exact'],
  ] as const)('%s', (_, a, b, expected) => {
    expect(comparisonOf(a, b)).toBe(expected);
    expect(comparisonOf(b, a)).toBe(expected);
  });

  it.each([
    ['a date and a time', DATE, TIME],
    ['a date and text', DATE, TEXT],
    ['a date and an integer', DATE, INTEGER],
    ['a UUID and an integer', UUID, INTEGER],
    ['a UUID and bytes', UUID, BYTES],
    ['text and bytes', TEXT, BYTES],
    ['numbers that are not exact', FLOAT, FLOAT],
    ['text and a column without a type', TEXT, column('text', '')],
  ] as const)('%s are not compared', (_, a, b) => {
    expect(comparisonOf(a, b)).toBeUndefined();
    expect(comparisonOf(b, a)).toBeUndefined();
  });
});
