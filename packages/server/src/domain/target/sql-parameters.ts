// Hand-written SQL: its named parameters, and whether it is one statement. Quoted text and comments are left
// alone.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import type { SqlConnector } from './target.ts';

export const SQL_PARAMETERS = ['controller_id', 'tenant', ...IDENTITY_TYPES] as const;
export type SqlParameter = (typeof SQL_PARAMETERS)[number];

/** The statement in pieces: SQL text, with names of parameters in between. */
export type SqlPiece = string | { readonly parameter: string };

const NAMES_IN_QUOTES = /"(?:[^"]|"")*"|`(?:[^`]|``)*`/;
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//;
const HASH_COMMENT = /#[^\n]*/;
// A colon after a name or a number is a slice, such as `a[i:j]`.
const PARAMETER = /::|:=|(?<!\w):(?<name>[A-Za-z_]\w*)/;
const END = /;/;
const TRANSACTION = /^\s*(?:begin|start|commit|rollback|end|savepoint|release|abort)\b/i;
const TEXT = /'(?:[^']|'')*'/;

/** Tried in this order; text that none of them matches is plain SQL. */
const PATTERNS: Readonly<Record<SqlConnector, RegExp>> = {
  postgres: firstOf(
    /\b[eE]'(?:[^'\\]|''|\\[\s\S])*'/,
    TEXT,
    /\$(?<tag>(?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$/,
  ),
  mysql: firstOf(/'(?:[^'\\]|''|\\[\s\S])*'/, /"(?:[^"\\]|""|\\[\s\S])*"/, HASH_COMMENT),
  sqlite: firstOf(TEXT, /\[[^\]]*\]/),
};

/** Removed one after the other. */
const COMMENTS: Readonly<Record<SqlConnector, readonly RegExp[]>> = {
  postgres: [COMMENT],
  mysql: [HASH_COMMENT, COMMENT],
  sqlite: [COMMENT],
};

function firstOf(...own: readonly RegExp[]): RegExp {
  const patterns = [...own, NAMES_IN_QUOTES, COMMENT, PARAMETER, END];
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'g');
}

export function splitStatement(sql: string, connector: SqlConnector): SqlPiece[] {
  const pieces: SqlPiece[] = [];
  let done = 0;
  for (const match of sql.matchAll(PATTERNS[connector])) {
    const parameter = match.groups?.name;
    if (parameter === undefined) continue;
    pieces.push(sql.slice(done, match.index), { parameter });
    done = match.index + match[0].length;
  }
  return [...pieces, sql.slice(done)].filter((piece) => piece !== '');
}

export function parametersOf(sql: string, connector: SqlConnector): Set<string> {
  const pieces = splitStatement(sql, connector);
  return new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.parameter])));
}

export function holdsSeveralStatements(sql: string, connector: SqlConnector): boolean {
  const end = [...sql.matchAll(PATTERNS[connector])].find(([token]) => token === ';');
  return end !== undefined && /[^\s;]/.test(withoutComments(sql.slice(end.index), connector));
}

/** Removes the semicolon at the end, and anything after it. */
export function withoutEnd(sql: string, connector: SqlConnector): string {
  const end = [...sql.matchAll(PATTERNS[connector])].find(([token]) => token === ';');
  return end === undefined ? sql : sql.slice(0, end.index);
}

/** Unwrite begins and ends transactions itself: a batch that ends its own cannot be rolled back. */
export function speaksOfTransactions(sql: string, connector: SqlConnector): boolean {
  return TRANSACTION.test(withoutComments(sql, connector));
}

function withoutComments(sql: string, connector: SqlConnector): string {
  return COMMENTS[connector].reduce(
    (plain, comment) => plain.replaceAll(new RegExp(comment, 'g'), ' '),
    sql,
  );
}
