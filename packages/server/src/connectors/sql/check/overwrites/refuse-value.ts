// Why a column would not accept its new value, as far as its type shows.
import { type Overwrite, RANDOM } from '../../../../domain/target/target.ts';
import type { ColumnShape } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import type { Typing } from '../../dialect-rules.ts';
import { HASH_LENGTH, RANDOM_LENGTH } from '../../erase/own-values.ts';
import { isOfKind } from '../is-of-kind.ts';
import { BY_HAND } from '../line.ts';

export function refuseValue(
  column: ColumnShape,
  overwrite: Overwrite,
  { typing }: SqlDialect,
  /** Whether the same value in two rows may be refused. */
  isDistinct: boolean,
): string[] {
  const refusal = refusalOf(column, overwrite, typing, waysInstead(column, isDistinct));
  return refusal === undefined ? [] : [`"${column.name}" ${refusal}`];
}

/** What the column accepts instead. */
function waysInstead(column: ColumnShape, isDistinct: boolean): string {
  const { kind, isNullable } = column;
  const isText = kind === 'text' && !isJson(column);
  const value = isJson(column) ? 'with "{}"' : kind === 'binary' ? 'with ""' : 'with a value';
  const ways = [
    ...(isNullable ? ['with null'] : []),
    ...(isDistinct ? [] : [value]),
    ...(isText ? ['with { unique: … } or a hash'] : []),
  ];
  return ways.length === 0
    ? `leave it out, delete the rows, or ${BY_HAND}`
    : `overwrite it ${ways.join(', or ')}`;
}

function isJson({ type, base = type }: ColumnShape): boolean {
  return /^jsonb?$/i.test(base);
}

function refusalOf(column: ColumnShape, overwrite: Overwrite, typing: Typing, instead: string) {
  switch (overwrite.kind) {
    case 'null':
      if (column.isNullable) return undefined;
      return `refuses NULL; ${instead}, or drop its NOT NULL`;
    case 'hash':
      return refuseHash(column, instead);
    case 'unique':
      return refuseUnique(column, overwrite.text, instead);
    case 'now':
      return refuseTime(column, typing);
    case 'json':
      return refuseJson(column);
    case 'value':
      return refuseConstant(column, overwrite.value, typing);
  }
}

function refuseHash({ kind, type, maxLength }: ColumnShape, instead: string): string | undefined {
  if (kind !== 'text') return `is ${type}, and a hash is a text; ${instead}`;
  if (maxLength === null || maxLength >= HASH_LENGTH) return undefined;
  return `holds ${maxLength} characters, and a hash needs ${HASH_LENGTH}; widen it, or overwrite it with null or a value`;
}

function refuseUnique(column: ColumnShape, text: string, instead: string): string | undefined {
  const { kind, type, maxLength } = column;
  if (kind !== 'text') return `is ${type}, and { unique: … } writes a text; ${instead}`;
  const whole = text.replace(RANDOM, '0'.repeat(RANDOM_LENGTH));
  if (maxLength !== null && lengthIn(column, whole) > maxLength)
    return `holds ${maxLength} characters, and the text needs ${lengthIn(column, whole)}, as {random} becomes ${RANDOM_LENGTH}; shorten the text, widen the column, or overwrite it with null`;
  return undefined;
}

function refuseTime({ kind, type, base = type }: ColumnShape, { isByColumn }: Typing) {
  if (/^(?:date$|datetime|timestamp)/i.test(base) || (!isByColumn && kind === 'text'))
    return undefined;
  if (kind === 'integer' || kind === 'decimal')
    return `is ${type}, which may count seconds, milliseconds or days, so { now: true } does not tell what to write; overwrite it with a number or null`;
  return `is ${type}, and { now: true } fits dates and timestamps; overwrite it with null or a value`;
}

function refuseJson(column: ColumnShape): string | undefined {
  if (column.kind === 'text' || isJson(column)) return undefined;
  return `is ${column.type}, which holds no JSON; overwrite the whole column with null or a value`;
}

function refuseConstant(
  column: ColumnShape,
  value: string | number | boolean,
  { isByColumn }: Typing,
) {
  const { type, maxLength } = column;
  const text = String(value);
  if (maxLength !== null && lengthIn(column, text) > maxLength)
    return `holds ${maxLength} characters, and the value has ${lengthIn(column, text)}; shorten the value`;
  if (isJson(column) && isByColumn && !isJsonText(text))
    return `is ${type}, and the value is not JSON; write "{}" for an empty document, null, or a JSON text in quotes`;
  if (!isOfKind(column, value)) return `is ${type}, which cannot hold the value given; correct it`;
  return undefined;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** For its long texts MySQL counts bytes, otherwise characters. */
function lengthIn({ base = '' }: ColumnShape, text: string): number {
  return /^(?:tiny|medium|long)?text$/.test(base) ? Buffer.byteLength(text) : [...text].length;
}
