// Writes array literals for PostgreSQL. The driver can do it too, several times slower.
import type { KeyRow } from '../../domain/target/connector.ts';

const SPECIAL = /["\\]/;
/** Most keys need no quotes, and are much shorter without them. */
const PLAIN = /^[0-9]+$/;

/** The values at one position of each row. */
export function arrayLiteral(rows: readonly KeyRow[], place: number): string {
  let text = '';
  for (const row of rows) text += `,${element(row[place] ?? null)}`;
  return `{${text.slice(1)}}`;
}

export function textArray(texts: readonly string[]): string {
  return `{${texts.map(element).join()}}`;
}

function element(value: string | null): string {
  if (value === null) return 'NULL';
  if (PLAIN.test(value)) return value;
  return SPECIAL.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
