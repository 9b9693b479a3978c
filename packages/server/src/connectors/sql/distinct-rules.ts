// The rules that require rows of a table to differ, from the indexes in the catalogue. For expressions only
// the columns that they name are read: one too many does no harm.
import type { DistinctRule } from './catalogue.ts';

export interface FoundRule {
  readonly name: string;
  readonly columns: readonly string[];
  readonly expressions: readonly string[];
}

/** `generated`: the expressions of generated columns. */
export function toRules(
  found: readonly FoundRule[],
  columns: readonly string[],
  generated: ReadonlyMap<string, string> = new Map(),
): DistinctRule[] {
  return found.map(({ name, columns: direct, expressions }) => {
    const computed = direct.flatMap((column) => generated.get(column) ?? []);
    const mentioned = new Set(
      [...expressions, ...computed].flatMap((text) => mentionedColumns(text, columns)),
    );
    // Grows during the iteration.
    for (const column of mentioned)
      for (const further of mentionedColumns(generated.get(column) ?? '', columns))
        mentioned.add(further);
    return {
      name,
      columns: direct.filter((column) => !generated.has(column)),
      computedFrom: [...mentioned].filter((column) => !direct.includes(column)),
    };
  });
}

const WORDS =
  /'(?:[^']|'')*'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|([\p{L}_][\p{L}\p{N}_$]*)/gu;

/** Columns that an expression names; perhaps one too many. */
export function mentionedColumns(text: string, columns: readonly string[]): string[] {
  const words = new Set<string>();
  for (const [, double, back, brackets, bare] of text.matchAll(WORDS)) {
    const word = double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? brackets ?? bare;
    if (word !== undefined) words.add(word.toLowerCase());
  }
  return columns.filter((column) => words.has(column.toLowerCase()));
}
