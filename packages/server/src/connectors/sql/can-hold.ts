// Which texts a column's type can hold exactly. A value that it cannot hold is not in the column, and searching
// for it would be an error, or worse: 0123 would match 123.
import type { ColumnShape } from './catalogue.ts';

const INTEGER = /^(?:0|-?[1-9][0-9]{0,19})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const BITS: readonly (readonly [RegExp, number])[] = [
  [/^tinyint/, 8],
  [/^smallint/, 16],
  [/^mediumint/, 24],
  [/^int/, 32],
];
/** Shorter texts are exact as numbers, which cost less. */
const LONG = String(Number.MAX_SAFE_INTEGER).length;

export function canHold({ kind, type }: ColumnShape, text: string): boolean {
  if (kind === 'integer') return INTEGER.test(text) && isInRange(type.toLowerCase(), text);
  if (kind === 'decimal') return text.length <= 100 && DECIMAL.test(text) && hasRoom(type, text);
  if (kind === 'uuid') return UUID.test(text);
  return true;
}

function isInRange(type: string, text: string): boolean {
  const bits = BITS.find(([name]) => name.test(type))?.[1] ?? 64;
  const value = text.length < LONG ? Number(text) : BigInt(text);
  // Powers of two, which are exact.
  if (type.includes('unsigned')) return value >= 0 && value < 2 ** bits;
  const limit = 2 ** (bits - 1);
  return value >= -limit && value < limit;
}

function hasRoom(type: string, text: string): boolean {
  const [, precision, scale = '0'] = /\((\d+)(?:,\s*(-?\d+))?\)/.exec(type) ?? [];
  if (precision === undefined) return true;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  return (
    whole.length <= Math.max(1, Number(precision) - Number(scale)) &&
    fraction.length <= Math.max(0, Number(scale))
  );
}
