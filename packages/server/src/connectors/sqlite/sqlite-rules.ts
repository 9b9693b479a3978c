// What can be learned about indexes and generated columns of SQLite only from the text that created them.
import type { FoundRule } from '../sql/distinct-rules.ts';
import type { SqlRow } from '../sql/session.ts';

/** An index that belongs to a constraint has no text; only its columns are known. */
export function ruleOf({ name, columns, sql }: SqlRow): FoundRule {
  const named = JSON.parse(String(columns)) as (string | null)[];
  const text = typeof sql === 'string' ? sql : '';
  const keys = insideBrackets(text, text.indexOf('('));
  return {
    name: String(name),
    columns: named.filter((column) => column !== null),
    expressions: named.includes(null) ? [keys] : [],
  };
}

/** For generated columns: the expression after AS. If it cannot be found, the whole text is used. */
export function generationsOf(sql: string, columns: readonly SqlRow[]): Map<string, string> {
  return new Map(
    columns.map(({ name }) => {
      const column = String(name);
      const start = sql.search(new RegExp(`["\`\\[\\s,(]${RegExp.escape(column)}["\`\\]\\s]`, 'i'));
      const as = start < 0 ? -1 : sql.slice(start).search(/\bas\s*\(/i);
      if (as < 0) return [column, sql];
      return [column, insideBrackets(sql, sql.indexOf('(', start + as))];
    }),
  );
}

/** The conditions of CHECK constraints, of columns and of the whole table. */
export function checksOf(sql: string): string[] {
  const places = sql.matchAll(/\bcheck\s*\(/gi);
  return [...places].map(({ index, 0: { length } }) => insideBrackets(sql, index + length - 1));
}

/** The text inside the brackets that open there. */
function insideBrackets(text: string, open: number): string {
  let depth = 0;
  let quote = '';
  for (let at = open; at >= 0 && at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (`'"\``.includes(character)) quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return text.slice(open + 1, at);
  }
  return text;
}
