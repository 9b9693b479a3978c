// Hand-written SQL with named parameters, split where they stand. Quoted texts, quoted names and comments
// are left as they are, so that nothing in them is ever taken for a parameter.
import type { SqlConnector } from '../../../domain/target.ts';
import { planMisfit } from '../make-plan.ts';

export const PARAMETERS = ['controller_id', 'tenant', 'email', 'controller_customer_id'] as const;
export type Parameter = (typeof PARAMETERS)[number];

/** Texts and parameters by turns. */
export type ParsedStatement = readonly (string | { readonly parameter: Parameter })[];

const COMMENT = String.raw`--[^\n]*|\/\*[\s\S]*?\*\/`;
const DOUBLED = `'(?:[^']|'')*'|"(?:[^"]|"")*"`;
const PARAMETER = String.raw`(?<![:\w]):([a-zA-Z_]\w*)`;

const TOKENS: Readonly<Record<SqlConnector, string>> = {
  postgres: String.raw`${COMMENT}|\b[eE]'(?:[^'\\]|''|\\[\s\S])*'|${DOUBLED}|(?<tag>\$(?:[a-zA-Z_]\w*)?\$)[\s\S]*?\k<tag>|::`,
  mysql: String.raw`${COMMENT}|#[^\n]*|'(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*"|${'`(?:[^`]|``)*`'}`,
  sqlite: String.raw`${COMMENT}|${DOUBLED}|${'`(?:[^`]|``)*`'}|\[[^\]]*\]`,
};

const TRANSACTION = /^\s*(?:begin|start|commit|rollback|end|savepoint|release|abort)\b/i;

export function parseStatement(connector: SqlConnector, sql: string): ParsedStatement {
  const pattern = new RegExp(`(?<skipped>${TOKENS[connector]})|${PARAMETER}|;`, 'g');
  const parts: (string | { readonly parameter: Parameter })[] = [];
  let end = 0;
  let bare = '';
  for (const token of sql.matchAll(pattern)) {
    bare += sql.slice(end, token.index);
    const text = token[0];
    if (text === ';') {
      if (/\S/.test(withoutComments(sql.slice(token.index + 1))))
        throw planMisfit('a hand-written statement holds several statements: list them one by one');
      sql = sql.slice(0, token.index);
      end = sql.length;
      break;
    }
    if (token.groups?.skipped !== undefined) bare += text;
    else {
      parts.push(bare, { parameter: toParameter(text.slice(1)) });
      bare = '';
    }
    end = token.index + text.length;
  }
  parts.push(bare + sql.slice(end));
  if (TRANSACTION.test(withoutComments(sql)))
    throw planMisfit('a hand-written statement may not begin or end transactions: leave it out');
  return parts;
}

function withoutComments(sql: string): string {
  return sql.replaceAll(new RegExp(COMMENT, 'g'), ' ');
}

function toParameter(name: string): Parameter {
  const known = PARAMETERS.find((parameter) => parameter === name);
  if (known !== undefined) return known;
  throw planMisfit(
    `a hand-written statement uses :${name}; the parameters are ${PARAMETERS.map((parameter) => `:${parameter}`).join(', ')}`,
  );
}
