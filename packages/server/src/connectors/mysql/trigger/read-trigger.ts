// Finds the tables that a trigger writes to. MySQL and MariaDB do not report what a trigger has changed, so its
// text is read beforehand. Only a text that is understood completely counts: the few statements and functions
// below, nothing else. Listing a table too many does no harm: a table that is only joined counts as written.
import type { RowEvent } from '../../sql/catalogue.ts';
import { createExpressionReader, type NamedTable, readType } from './read-expression.ts';
import { createTokenCursor, type TokenCursor } from './token-cursor.ts';
import { NotUnderstood, type Token, type TriggerSource, tokensOf } from './trigger-tokens.ts';

export interface ReadTrigger {
  readonly writes: readonly WrittenTable[];
  /** Columns of the row itself, by SET NEW.column. */
  readonly sets: readonly string[];
  readonly reads: readonly NamedTable[];
  /** Procedures, and functions that may write. */
  readonly calls: readonly string[];
  /**
   * Why the text is not understood completely; the other members then cover only its beginning. Null if all is
   * understood.
   */
  readonly unread: string | null;
}

export interface WrittenTable extends NamedTable {
  readonly event: RowEvent;
  /** For an update: the columns that it sets. */
  readonly columns: readonly string[];
}

/** Reads the whole statement that created the trigger. */
export function readTrigger(source: TriggerSource): ReadTrigger {
  const found: FoundInTrigger = { writes: [], sets: [], reads: [], calls: [] };
  try {
    const cursor = createTokenCursor(bodyOf(tokensOf(source)));
    createStatementReader(cursor, found).statement();
    cursor.takeSign(';');
    if (!cursor.isAtEnd()) throw cursor.notUnderstood();
    return { ...found, unread: null };
  } catch (error) {
    // Brackets nested ten thousand deep.
    if (error instanceof RangeError) return { ...found, unread: 'it is nested too deeply' };
    if (!(error instanceof NotUnderstood)) throw error;
    return { ...found, unread: error.message };
  }
}

interface FoundInTrigger {
  readonly writes: WrittenTable[];
  readonly sets: string[];
  readonly reads: NamedTable[];
  readonly calls: string[];
}

/** A name before the body that equals a keyword is quoted. */
function bodyOf(tokens: readonly Token[]): Token[] {
  const head = ['FOR', 'EACH', 'ROW'];
  const start = tokens.findIndex((_, at) =>
    head.every((word, place) => {
      const token = tokens[at + place];
      return token?.kind === 'word' && token.upper === word;
    }),
  );
  if (start === -1) throw new NotUnderstood('its beginning is not understood');
  const body = tokens.slice(start + head.length);
  const [order] = body;
  const isOrdered = order?.kind === 'word' && ['FOLLOWS', 'PRECEDES'].includes(order.upper);
  return isOrdered ? body.slice(2) : body;
}

const MODIFIERS = ['LOW_PRIORITY', 'HIGH_PRIORITY', 'DELAYED', 'QUICK', 'IGNORE'];

function createStatementReader(cursor: TokenCursor, found: FoundInTrigger): { statement(): void } {
  const { expression, query, tableReferences, tableName, columnName, list, rest } =
    createExpressionReader(cursor, found);
  /** The variables of each open block. Any other variable that is set is one of the server. */
  const scopes: Set<string>[] = [];

  function statement(): void {
    if (cursor.takeWord('BEGIN')) block();
    else if (cursor.takeWord('IF')) conditional();
    else if (cursor.takeWord('CASE')) cases();
    else if (cursor.takeWord('SET')) list(assignment);
    else if (cursor.takeWord('INSERT')) insertion('INSERT');
    else if (cursor.takeWord('REPLACE')) insertion('REPLACE');
    else if (cursor.takeWord('UPDATE')) update();
    else if (cursor.takeWord('DELETE')) deletion();
    else if (cursor.isWord('SELECT')) query(() => list(variable));
    else if (cursor.takeWord('CALL')) call();
    else if (cursor.takeWord('SIGNAL')) signal();
    else throw cursor.notUnderstood();
  }

  function statementsUntil(...words: readonly string[]): void {
    while (!cursor.isWord(...words)) {
      if (cursor.takeWord('DECLARE')) declaration();
      else statement();
      cursor.expectSign(';');
    }
  }

  function block(): void {
    scopes.push(new Set());
    statementsUntil('END');
    cursor.expectWord('END');
    scopes.pop();
  }

  function declaration(): void {
    const scope = scopes.at(-1);
    if (scope === undefined) throw cursor.notUnderstood();
    const names: string[] = [];
    list(() => names.push(cursor.name()));
    readType(cursor);
    if (cursor.takeWord('DEFAULT')) expression();
    for (const name of names) scope.add(folded(name));
  }

  function conditional(): void {
    do {
      expression();
      cursor.expectWord('THEN');
      statementsUntil('ELSEIF', 'ELSE', 'END');
    } while (cursor.takeWord('ELSEIF'));
    if (cursor.takeWord('ELSE')) statementsUntil('END');
    cursor.expectWord('END');
    cursor.expectWord('IF');
  }

  function cases(): void {
    if (!cursor.isWord('WHEN')) expression();
    while (cursor.takeWord('WHEN')) {
      expression();
      cursor.expectWord('THEN');
      statementsUntil('WHEN', 'ELSE', 'END');
    }
    if (cursor.takeWord('ELSE')) statementsUntil('END');
    cursor.expectWord('END');
    cursor.expectWord('CASE');
  }

  function variable(): void {
    if (cursor.takeSign('@')) {
      cursor.name();
      return;
    }
    const outside = cursor.notUnderstood();
    const name = folded(cursor.name());
    if (!scopes.some((scope) => scope.has(name))) throw outside;
  }

  function assignment(): void {
    if (cursor.takeWord('NEW')) {
      cursor.expectSign('.');
      found.sets.push(cursor.name());
    } else variable();
    if (!cursor.takeSign(':=')) cursor.expectSign('=');
    expression();
  }

  /** Returns the columns that are set. */
  function setColumns(): string[] {
    const columns: string[] = [];
    list(() => {
      columns.push(columnName());
      cursor.expectSign('=');
      expression();
    });
    return columns;
  }

  function insertion(way: 'INSERT' | 'REPLACE'): void {
    while (cursor.takeWord(...MODIFIERS));
    cursor.takeWord('INTO');
    const table = tableName();
    found.writes.push({ ...table, event: 'insert', columns: [] });
    // REPLACE deletes the row that it replaces.
    if (way === 'REPLACE') found.writes.push({ ...table, event: 'delete', columns: [] });
    if (cursor.takeWord('SET')) setColumns();
    else inserted();
    if (cursor.takeWords('ON', 'DUPLICATE', 'KEY', 'UPDATE'))
      found.writes.push({ ...table, event: 'update', columns: setColumns() });
  }

  function inserted(): void {
    if (cursor.takeSign('(')) {
      if (cursor.isWord('SELECT')) {
        query();
        cursor.expectSign(')');
        return;
      }
      if (!cursor.isSign(')')) list(columnName);
      cursor.expectSign(')');
    }
    if (cursor.isWord('SELECT')) {
      query();
      return;
    }
    cursor.expectWord('VALUES', 'VALUE');
    list(() => {
      cursor.expectSign('(');
      if (!cursor.isSign(')')) list(expression);
      cursor.expectSign(')');
    });
  }

  function update(): void {
    while (cursor.takeWord(...MODIFIERS));
    const tables: NamedTable[] = [];
    tableReferences((table) => tables.push(table));
    cursor.expectWord('SET');
    const columns = setColumns();
    found.writes.push(...tables.map((table) => ({ ...table, event: 'update' as const, columns })));
    rest();
  }

  function deletion(): void {
    while (cursor.takeWord(...MODIFIERS));
    const addDeleted = (table: NamedTable) =>
      found.writes.push({ ...table, event: 'delete', columns: [] });
    const isFirst = cursor.takeWord('FROM');
    const named: NamedTable[] = [];
    list(() => named.push(tableName()));
    const [only] = named;
    // The names before FROM or USING are aliases of the tables after it.
    if (cursor.takeWord(isFirst ? 'USING' : 'FROM')) tableReferences(addDeleted);
    else if (isFirst && named.length === 1 && only !== undefined) {
      addDeleted(only);
      if (cursor.takeWord('AS') || cursor.isName()) cursor.name();
    } else throw cursor.notUnderstood();
    rest();
  }

  function call(): void {
    const { schema, table } = tableName();
    found.calls.push(schema === null ? table : `${schema}.${table}`);
    if (!cursor.takeSign('(')) return;
    if (!cursor.isSign(')')) list(expression);
    cursor.expectSign(')');
  }

  /** SIGNAL ends the statement that fired the trigger. */
  function signal(): void {
    cursor.expectWord('SQLSTATE');
    cursor.takeWord('VALUE');
    if (!cursor.takeLiteral()) throw cursor.notUnderstood();
    if (!cursor.takeWord('SET')) return;
    list(() => {
      cursor.expectWord('MESSAGE_TEXT', 'MYSQL_ERRNO');
      cursor.expectSign('=');
      expression();
    });
  }

  return { statement };
}

/** Only ASCII letters, as the server compares the names of its variables. */
function folded(name: string): string {
  return name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
