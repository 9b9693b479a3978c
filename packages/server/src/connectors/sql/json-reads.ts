// Finds the places of a JSON column that a database expression reads, from the expression's text. A read in an
// unknown form counts as a read of the whole document.
import { type JsonPath, readJsonPath } from '../../domain/target/json-path.ts';
import type { JsonRules } from './dialect-rules.ts';

export interface JsonRead {
  /** Empty: the whole document. Undefined: an unknown place. */
  readonly path: JsonPath | undefined;
  /** Whether JSON's own null is returned as NULL, not as a value. */
  readonly isNullForNull: boolean;
}

interface Token {
  readonly kind: 'literal' | 'name' | 'other';
  readonly text: string;
}

// Casts and the character sets of literals say nothing about places.
const TOKENS =
  /(?:::\s*(?:character varying|[a-z_][\w.]*)(?:\(\d+\))?(?:\[\])?|\b_(?:utf8mb4|utf8mb3|utf8|latin1)(?='))|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|([\p{L}_][\p{L}\p{N}_$]*)|(->>|->|#>>|#>|\d+|\S)/giu;

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKENS)].flatMap(([, literal, double, back, word, other]): Token[] => {
    if (literal !== undefined) return [{ kind: 'literal', text: literal.replaceAll("''", "'") }];
    const name = double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? word;
    if (name !== undefined) return [{ kind: 'name', text: name }];
    return other === undefined ? [] : [{ kind: 'other', text: other }];
  });
}

export function jsonReads(text: string, column: string, json: JsonRules): JsonRead[] {
  const tokens = tokensOf(text);
  return tokens.flatMap((token, place) =>
    token.kind === 'name' && token.text.toLowerCase() === column.toLowerCase()
      ? [readFrom(tokens, place, json)]
      : [],
  );
}

function readFrom(tokens: readonly Token[], place: number, json: JsonRules): JsonRead {
  let path: JsonPath | undefined = [];
  let isNullForNull = false;
  let at = place + 1;
  const caller = isSign(tokens[place - 1], '(') ? tokens[place - 2] : undefined;
  const reader = caller?.kind === 'name' ? caller.text.toLowerCase() : '';
  if (reader.startsWith('json') && isSign(tokens[at], ',')) {
    const end = endOfCall(tokens, at);
    const given = tokens.slice(at + 1, end);
    // What follows the path says what the value becomes: RETURNING CHAR(512) NULL ON EMPTY.
    const words = reader === 'json_value' ? given.findIndex(({ kind }) => kind === 'name') : -1;
    path = pathOf(words < 0 ? given : given.slice(0, words));
    isNullForNull = givesNull(reader, json);
    at = end + 1;
  }
  for (let step = stepAt(tokens, at); step !== undefined; step = stepAt(tokens, at)) {
    path = path && step.path && [...path, ...step.path];
    isNullForNull = step.isText;
    at = step.end;
  }
  return { path, isNullForNull };
}

function givesNull(reader: string, json: JsonRules): boolean {
  if (reader === 'json_extract') return json.extractsNull;
  return reader === 'json_value' || reader.endsWith('_path_text');
}

/** After closing brackets: an operator with its operand, or a subscript. */
function stepAt(tokens: readonly Token[], from: number) {
  let at = from;
  while (isSign(tokens[at], ')')) at++;
  const sign = tokens[at]?.kind === 'other' ? tokens[at]?.text : undefined;
  if (sign === '[') {
    const end = tokens.findIndex((token, place) => place > at && isSign(token, ']'));
    const path = pathOf(tokens.slice(at + 1, end));
    return end < 0 ? undefined : { path, isText: false, end: end + 1 };
  }
  if (sign === undefined || !['->', '->>', '#>', '#>>'].includes(sign)) return undefined;
  const isList = tokens[at + 1]?.kind === 'name';
  const close = isList
    ? tokens.findIndex((token, place) => place > at && isSign(token, ']'))
    : at + 1;
  const end = close < 0 ? tokens.length : close + 1;
  return { path: pathOf(tokens.slice(at + 1, end)), isText: sign.endsWith('>>'), end };
}

/** The path given to a reading function: paths, names and positions, one after the other. */
function pathOf(given: readonly Token[]): JsonPath | undefined {
  const path: (string | number)[] = [];
  for (const { kind, text } of given) {
    if (kind === 'other' && /^\d+$/.test(text)) path.push(Number(text));
    else if (kind === 'literal') {
      const parts = partsOf(text);
      if (parts === undefined) return undefined;
      path.push(...parts);
    } else if (kind === 'other' ? !'[],'.includes(text) : !/^(?:array|variadic)$/i.test(text))
      return undefined;
  }
  return path;
}

function partsOf(literal: string): JsonPath | undefined {
  if (literal === '$') return [];
  if (literal.startsWith('$')) {
    const read = readJsonPath(literal.replaceAll(/\.("(?:[^"\\]|\\.)*")/g, '[$1]'));
    return 'path' in read ? read.path : undefined;
  }
  if (!/^\{.*\}$/s.test(literal)) return [literal];
  return literal.includes('"') || literal.includes('\\')
    ? undefined
    : literal
        .slice(1, -1)
        .split(',')
        .map((part) => part.trim());
}

function endOfCall(tokens: readonly Token[], from: number): number {
  let depth = 1;
  let at = from;
  for (; at < tokens.length; at++) {
    if (isSign(tokens[at], '(')) depth++;
    if (isSign(tokens[at], ')')) depth--;
    if (depth === 0) return at;
  }
  return at;
}

function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === 'other' && token.text === text;
}
