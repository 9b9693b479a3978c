// Whether a column's type accepts a constant.

import { canHold } from '../can-hold.ts';
import type { ColumnShape } from '../catalogue.ts';

export function isOfKind(column: ColumnShape, value: string | number | boolean): boolean {
  const { kind, type, base = type } = column;
  const text = String(value);
  if (kind === 'text') return true;
  if (kind === 'integer') {
    if (typeof value === 'boolean') return /^tinyint|bool/i.test(type);
    return /^-?\d+$/.test(text) && canHold(column, String(BigInt(text)));
  }
  // Digits after the point are rounded; those before it must fit.
  if (kind === 'decimal')
    return (
      /^-?\d+(\.\d+)?$/.test(text) && canHold(column, String(BigInt(text.split('.')[0] ?? '')))
    );
  if (kind === 'uuid') return /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text);
  if (kind === 'binary') return typeof value === 'string';
  if (/^bool/i.test(base)) return typeof value === 'boolean' || /^(true|false|[01])$/i.test(text);
  if (/^(date|time|datetime)/i.test(base)) return /\d/.test(text) && typeof value === 'string';
  if (/^(real|double|float)/i.test(base))
    return text.trim() !== '' && Number.isFinite(Number(text));
  if (/^enum\(/i.test(type)) return labelsOf(type).includes(text);
  if (/^set\(/i.test(type)) return isSetOf(labelsOf(type), text);
  return true;
}

/** MySQL includes the labels in the type. */
function labelsOf(type: string): string[] {
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, label = '']) =>
    label.replaceAll("''", "'"),
  );
}

/** Labels must be in the order of the type, as they are stored. */
function isSetOf(labels: readonly string[], text: string): boolean {
  const places = text === '' ? [] : text.split(',').map((label) => labels.indexOf(label));
  return places.every((place, at) => place > (places[at - 1] ?? -1));
}
