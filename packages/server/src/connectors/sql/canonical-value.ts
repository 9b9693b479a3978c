// One spelling for values that are equal under a rule.

import type { ColumnShape } from './catalogue.ts';
import { cutEnd } from './cut-end.ts';

const UUID = /^[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}$/;

/**
 * In the standard spelling; undefined if the text is not a UUID. Accepts the spellings that PostgreSQL
 * accepts.
 */
export function canonicalUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  const bare = lower.startsWith('{') && lower.endsWith('}') ? lower.slice(1, -1) : lower;
  if (!UUID.test(bare)) return undefined;
  const digits = bare.replaceAll('-', '');
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ];
  return parts.join('-');
}

const WITH_DASHES = /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i;

/** The ways in which text columns write a UUID; empty if the text is not certainly a UUID. */
export function uuidSpellings(text: string): string[] {
  const uuid = WITH_DASHES.test(text) ? canonicalUuid(text) : undefined;
  if (uuid === undefined) return [];
  const bare = uuid.replaceAll('-', '');
  return [uuid, uuid.toUpperCase(), bare, bare.toUpperCase()];
}

export interface NumberText {
  /** The same text for equal numbers: no leading zeros, no trailing zeros after the point, no plus sign. */
  readonly canonical: string;
  /** Whether the text is already written in this form. */
  readonly isCanonical: boolean;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;
/** Numbers with more digits do not identify a row in any of the databases. */
const MAX_DIGITS = 400;

/** Undefined if the text is not a number. */
export function readNumber(text: string): NumberText | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text.trim()) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const left = point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0');
  const right = (point < 0 ? '0'.repeat(-point) : '') + digits.slice(Math.max(0, point));
  const integer = left.replace(/^0+(?=\d)/, '') || '0';
  const decimals = cutEnd(right, '0');
  const value = decimals === '' ? integer : `${integer}.${decimals}`;
  const canonical = sign === '-' && value !== '0' ? `-${value}` : value;
  return { canonical, isCanonical: canonical === text };
}

/** Whether a column's values are numbers, which may have several spellings. */
export function holdsNumbers({ kind, type }: Pick<ColumnShape, 'kind' | 'type'>): boolean {
  if (kind === 'integer' || kind === 'decimal') return true;
  return kind === 'other' && /^(?:real|float|double)/i.test(type);
}

/** 7.00 and 7.0 are 7. Leading zeros stay: 007 is an id, not a number. */
export function withoutEndZeros(text: string): string {
  if (!/^-?(?:0|[1-9]\d*)\.\d*$/.test(text)) return text;
  return cutEnd(cutEnd(text, '0'), '.');
}
