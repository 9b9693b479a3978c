// NaN and the infinities, which PostgreSQL's numeric has beside numbers.
import { type NumberText, readNumber } from '../sql/canonical-value.ts';
import type { ColumnShape } from '../sql/catalogue.ts';

/** As the server writes them, with all spellings that it reads, in small letters. */
const SPECIAL: ReadonlyMap<string, readonly string[]> = new Map([
  ['NaN', ['nan']],
  ['Infinity', ['infinity', '+infinity', 'inf', '+inf']],
  ['-Infinity', ['-infinity', '-inf']],
]);

export function readAnyNumber(text: string): NumberText | undefined {
  const plain = text.trim().toLowerCase();
  for (const [canonical, spellings] of SPECIAL)
    if (spellings.includes(plain)) return { canonical, isCanonical: canonical === text };
  return readNumber(text);
}

export function isSpecial({ kind }: ColumnShape, text: string): boolean {
  return kind === 'decimal' && SPECIAL.has(text);
}

/** Undefined for all that are numbers. */
export const spellingsOf = (canonical: string): readonly string[] | undefined =>
  SPECIAL.get(canonical);
