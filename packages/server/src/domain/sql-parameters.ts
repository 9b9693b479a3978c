// Finds the named parameters of hand-written SQL, and leaves alone whatever only looks like one: in
// quotes, in comments, in a cast.
import type { SqlConnector } from './target.ts';

export const SQL_PARAMETERS = [
  'controller_id',
  'tenant',
  'email',
  'controller_customer_id',
] as const;
export type SqlParameter = (typeof SQL_PARAMETERS)[number];

/** The statement in pieces: SQL as it stands, and names of parameters between. */
export type SqlPiece = string | { readonly parameter: string };

const NAMES_IN_QUOTES = /"(?:[^"]|"")*"|`(?:[^`]|``)*`/;
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//;
const PARAMETER = /::|:=|:(?<name>[A-Za-z_][A-Za-z0-9_]*)/;
const TEXT = /'(?:[^']|'')*'/;

/** In the order of trying; what none of them takes is plain SQL. */
const PATTERNS: Readonly<Record<SqlConnector, RegExp>> = {
  postgres: firstOf(
    /\b[eE]'(?:[^'\\]|''|\\[\s\S])*'/,
    TEXT,
    /\$(?<tag>(?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$/,
  ),
  mysql: firstOf(/'(?:[^'\\]|''|\\[\s\S])*'/, /"(?:[^"\\]|""|\\[\s\S])*"/, /#[^\n]*/),
  sqlite: firstOf(TEXT, /\[[^\]]*\]/),
};

function firstOf(...own: readonly RegExp[]): RegExp {
  const patterns = [...own, NAMES_IN_QUOTES, COMMENT, PARAMETER];
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
