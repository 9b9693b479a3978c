// What the text of a trigger writes to. MySQL and MariaDB do not tell what a trigger has changed, so it is read
// beforehand. A table too many does no harm: one that is only joined counts as written.
import type { RowEvent } from '../sql/catalogue.ts';

interface ReadTrigger {
  readonly writes: readonly WrittenTable[];
  /** Procedures, and functions among those that are known. */
  readonly calls: readonly string[];
}

interface WrittenTable {
  /** Null where it is the trigger's own. */
  readonly schema: string | null;
  readonly table: string;
  readonly event: RowEvent;
}

/** `routines`: names of stored functions. */
export function readTrigger(
  text: string,
  sqlMode: string,
  routines: ReadonlySet<string>,
): ReadTrigger {
  const tokens = tokensOf(text, /ansi_quotes/i.test(sqlMode));
  const writes: WrittenTable[] = [];
  const calls: string[] = [];
  tokens.forEach((token, at) => {
    const before = tokens[at - 1]?.word ?? '';
    const after = tokens[at + 1];
    // Also the name of a function, as are INSERT and REPLACE.
    if (after?.sign === '(') {
      if (token.name !== undefined && routines.has(token.name.toLowerCase()))
        calls.push(token.name);
      return;
    }
    switch (token.word) {
      case 'CALL':
        calls.push(after?.name ?? '');
        break;
      case 'INSERT':
      case 'REPLACE':
        writes.push(...insertedInto(tokens, at));
        break;
      case 'UPDATE':
        if (before === 'FOR') break;
        // ON DUPLICATE KEY UPDATE, of the INSERT before it.
        if (before === 'KEY') writes.push(...writes.slice(-1).map(asUpdate));
        else writes.push(...tablesUntil(tokens, at, ['SET']).map(asUpdate));
        break;
      case 'DELETE':
        writes.push(...tablesUntil(tokens, fromBehind(tokens, at), DELETE_ENDS).map(asDelete));
        break;
    }
  });
  return { writes, calls };
}

const asUpdate = (table: Omit<WrittenTable, 'event'>): WrittenTable => ({
  ...table,
  event: 'update',
});
const asDelete = (table: Omit<WrittenTable, 'event'>): WrittenTable => ({
  ...table,
  event: 'delete',
});

/** A token is a name, a word (perhaps both) or a sign. */
interface Token {
  /** As written, without quotes. */
  readonly name?: string;
  /** In capitals, where it is not quoted. */
  readonly word?: string;
  readonly sign?: string;
}

const TOKENS =
  /\/\*(?!M?!)[\s\S]*?\*\/|(?:--(?=\s|$)|#)[^\n]*|('(?:[^'\\]|\\[\s\S]|'')*')|("(?:[^"\\]|\\[\s\S]|"")*")|`((?:[^`]|``)*)`|([\p{L}\p{N}_$]+)|([^\s])/gu;

function tokensOf(text: string, hasAnsiQuotes: boolean): Token[] {
  return [...text.matchAll(TOKENS)].flatMap(([, single, double, quoted, word, sign]): Token[] => {
    if (quoted !== undefined) return [{ name: quoted.replaceAll('``', '`') }];
    if (word !== undefined) return [{ name: word, word: word.toUpperCase() }];
    if (double !== undefined && hasAnsiQuotes)
      return [{ name: double.slice(1, -1).replaceAll('""', '"') }];
    if (single !== undefined || double !== undefined) return [{ sign: 'text' }];
    return sign === undefined ? [] : [{ sign }];
  });
}

const MODIFIERS = new Set(['LOW_PRIORITY', 'HIGH_PRIORITY', 'DELAYED', 'IGNORE', 'QUICK', 'INTO']);

function insertedInto(tokens: readonly Token[], start: number): WrittenTable[] {
  let at = start + 1;
  while (MODIFIERS.has(tokens[at]?.word ?? '')) at++;
  const table = nameAt(tokens, at);
  if (table === undefined) return [];
  const written: WrittenTable = { ...table, event: 'insert' };
  // REPLACE deletes what it takes the place of.
  return tokens[start]?.word === 'REPLACE' ? [written, { ...table, event: 'delete' }] : [written];
}

const DELETE_ENDS = ['WHERE', 'ORDER', 'LIMIT', 'RETURNING'];

/** What stands before FROM are names that the tables behind it are given. */
function fromBehind(tokens: readonly Token[], start: number): number {
  return tokens.findIndex(({ word }, at) => at > start && word === 'FROM');
}

/** The tables that a statement names: first, behind a comma, FROM, USING or JOIN. */
function tablesUntil(
  tokens: readonly Token[],
  start: number,
  ends: readonly string[],
): Omit<WrittenTable, 'event'>[] {
  const tables: Omit<WrittenTable, 'event'>[] = [];
  let isNext = true;
  for (let at = start + 1; at < tokens.length; at++) {
    const { word, sign } = tokens[at] ?? {};
    if (sign === ';' || (word !== undefined && ends.includes(word))) break;
    // Of what is read in brackets too, at worst.
    if (word === 'SELECT') isNext = false;
    else if (sign === ',' || (word !== undefined && BEFORE_TABLES.has(word))) isNext = true;
    else if (isNext && !MODIFIERS.has(word ?? '') && sign !== '(') {
      const table = nameAt(tokens, at);
      if (table !== undefined) tables.push(table);
      isNext = false;
    }
  }
  return tables;
}

const BEFORE_TABLES = new Set(['FROM', 'USING', 'JOIN', 'STRAIGHT_JOIN']);

function nameAt(tokens: readonly Token[], at: number): Omit<WrittenTable, 'event'> | undefined {
  const [first, dot, second] = tokens.slice(at, at + 3);
  if (first?.name === undefined) return undefined;
  if (dot?.sign !== '.' || second?.name === undefined) return { schema: null, table: first.name };
  return { schema: first.name, table: second.name };
}
