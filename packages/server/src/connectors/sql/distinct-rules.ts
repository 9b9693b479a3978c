// The rules that require rows of a table to differ, from the indexes in the catalogue. For expressions only
// the columns that they name are read: one too many does no harm.
import { byName } from '../../domain/by-name.ts';
import type { DistinctRule } from './catalogue.ts';

export interface FoundRule {
  readonly name: string;
  readonly columns: readonly string[];
  readonly expressions: readonly string[];
  /** Null if it applies to every row. */
  readonly condition: string | null;
  readonly areNullsEqual?: boolean;
  readonly prefixes?: Readonly<Record<string, number>>;
}

/** `generated`: the expressions of generated columns. */
export function toRules(
  found: readonly FoundRule[],
  columns: readonly string[],
  generated: ReadonlyMap<string, string> = new Map(),
): DistinctRule[] {
  return found.map(({ name, columns: direct, expressions, condition, ...rule }) => {
    const computed = direct.flatMap((column) => generated.get(column) ?? []);
    const texts = [...expressions, ...computed];
    const mentioned = new Set(texts.flatMap((text) => mentionedColumns(text, columns)));
    for (const column of mentioned) {
      const text = generated.get(column);
      if (text === undefined) continue;
      if (!texts.includes(text)) texts.push(text);
      for (const further of mentionedColumns(text, columns)) mentioned.add(further);
    }
    return {
      name,
      columns: direct.filter((column) => !generated.has(column)),
      computedFrom: [...mentioned].filter((column) => !direct.includes(column)),
      mayFillNull: texts.some((text) => FILLS_NULL.test(text)),
      expressions: texts,
      condition,
      areNullsEqual: rule.areNullsEqual ?? false,
      prefixes: rule.prefixes ?? byName<number>(),
    };
  });
}

const FILLS_NULL =
  /\b(?:coalesce|ifnull|nvl2?|concat|concat_ws|case|is|greatest|min|format|printf|quote|quote_nullable|typeof|json_object|json_array|jsonb?_build_\w+)\b/i;
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
