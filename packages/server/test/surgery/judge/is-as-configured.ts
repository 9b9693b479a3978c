// Whether a row that is still there is as the configuration would leave it.

import type { DeclaredTable, Overwritten, Row } from '../generated-case.ts';
import { valuesAt } from './compare-values.ts';

export function isAsConfigured({ action }: DeclaredTable, row: Row | undefined): boolean {
  if (row === undefined || action === 'retain') return true;
  if (action === 'delete') return false;
  return Object.entries(action.overwrite).every(([column, value]) =>
    isWritten(value, row[column] ?? null),
  );
}

export function isWritten(value: Overwritten, now: string | null): boolean {
  if (typeof value === 'object' && value !== null && 'now' in value) {
    return now !== null && Number.parseInt(now, 10) > 2020;
  }
  // NULL names nobody, and a hash or a placeholder of NULL is NULL.
  if (value === null || now === null) return now === null;
  if (typeof value === 'string') return now === value;
  // As a FLOAT holds it.
  if (typeof value === 'number') return Math.fround(Number(now)) === Math.fround(value);
  if ('hash' in value) return now.startsWith('uw1:');
  if ('unique' in value) return isFrom(value.unique, now);
  const document: unknown = JSON.parse(now);
  return Object.entries(value.json).every(([path, wanted]) => {
    const found = valuesAt(document, readPath(path));
    return found.every((one) =>
      typeof wanted === 'object' && wanted !== null ? false : one === wanted,
    );
  });
}

/** With something in place of `{random}`. */
function isFrom(template: string, text: string): boolean {
  const [before = '', after = ''] = template.split('{random}');
  return (
    text.startsWith(before) &&
    text.endsWith(after) &&
    text.length >= before.length + after.length + 8
  );
}

/** The keys of a path that this generator wrote. */
const readPath = (path: string) =>
  [...path.matchAll(/\.(\w+)|\["([^"]*)"\]|\[(\d+|\*)\]/g)].map(
    ([, name, quoted, place]) => name ?? quoted ?? place ?? '',
  );
