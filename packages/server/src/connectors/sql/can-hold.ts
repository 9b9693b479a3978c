// Which texts a column's type can hold exactly. A value that it cannot hold is not in the column, and searching
// for it would be an error, or worse: 0123 would match 123.
import type { ColumnShape } from './catalogue.ts';

const INTEGER = /^(?:0|-?[1-9][0-9]{0,19})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const BITS: readonly (readonly [RegExp, bigint])[] = [
  [/^tinyint/, 8n],
  [/^smallint/, 16n],
  [/^mediumint/, 24n],
  [/^int/, 32n],
];

export function canHold({ kind, type }: ColumnShape, text: string): boolean {
  if (kind === 'integer') return INTEGER.test(text) && isInRange(type.toLowerCase(), BigInt(text));
  if (kind === 'decimal') return text.length <= 100 && DECIMAL.test(text) && hasRoom(type, text);
  if (kind === 'uuid') return UUID.test(text);
  return true;
}

function isInRange(type: string, value: bigint): boolean {
  const bits = BITS.find(([name]) => name.test(type))?.[1] ?? 64n;
  if (type.includes('unsigned')) return value >= 0n && value < 1n << bits;
  const limit = 1n << (bits - 1n);
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
