// Why a column would not take what it is to be overwritten with, as far as its type tells.
import type { Overwrite } from '../../../domain/target.ts';
import type { ColumnShape } from '../catalogue.ts';

/** Of a keyed hash as it is written: `uw1:` and 22 characters, with room to grow. */
const HASH_LENGTH = 28;

export function refuseValue(column: ColumnShape, overwrite: Overwrite): string[] {
  const { name, kind, type, maxLength, isNullable } = column;
  if (overwrite.kind === 'null')
    return isNullable
      ? []
      : [`"${name}" refuses NULL; overwrite it with a value or a hash, or drop its NOT NULL`];
  if (overwrite.kind === 'hash') {
    if (kind !== 'text')
      return [`"${name}" is ${type}, and a hash is a text; overwrite it with null or a value`];
    return maxLength !== null && maxLength < HASH_LENGTH
      ? [
          `"${name}" holds ${maxLength} characters, and a hash needs ${HASH_LENGTH}; widen it, or overwrite it with null or a value`,
        ]
      : [];
  }
  const text = String(overwrite.value);
  if (maxLength !== null && [...text].length > maxLength)
    return [
      `"${name}" holds ${maxLength} characters, and the value has ${[...text].length}; shorten the value`,
    ];
  return isOfKind(column, overwrite.value)
    ? []
    : [`"${name}" is ${type}, which cannot hold the value given; correct it`];
}

function isOfKind({ kind, type }: ColumnShape, value: string | number | boolean): boolean {
  const text = String(value);
  if (kind === 'text') return true;
  if (kind === 'integer')
    return /^-?\d+$/.test(text) || (typeof value === 'boolean' && /^tinyint|bool/i.test(type));
  if (kind === 'decimal') return /^-?\d+(\.\d+)?$/.test(text);
  if (kind === 'uuid') return /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text);
  if (kind === 'binary') return typeof value === 'string';
  if (/^bool/i.test(type)) return typeof value === 'boolean' || /^(true|false|[01])$/i.test(text);
  if (/^(date|time(stamp|$|\()|datetime)/i.test(type))
    return /\d/.test(text) && typeof value === 'string';
  if (/^(real|double|float)/i.test(type))
    return text.trim() !== '' && Number.isFinite(Number(text));
  // MySQL writes the labels of an enumeration into its type.
  return /^enum\(/i.test(type) ? type.includes(`'${text.replaceAll("'", "''")}'`) : true;
}
