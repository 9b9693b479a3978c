// Expressions and queries in the text of a trigger: which tables they read, and what they call. Their meaning does
// not matter, only that nothing in them writes.
import { KNOWN_FUNCTIONS } from './known-functions.ts';
import type { TokenCursor } from './token-cursor.ts';

export interface NamedTable {
  /** Null if it is the schema of the trigger. */
  readonly schema: string | null;
  readonly table: string;
}

/** The tables and calls found so far. */
export interface FoundInExpression {
  readonly reads: NamedTable[];
  /** Procedures, and functions that may write. */
  readonly calls: string[];
}

export interface ExpressionReader {
  expression(): void;
  /** `into` reads the variables of its INTO, if the query may have one. */
  query(into?: () => void): void;
  /** `meet` is called for the tables themselves; queries in brackets are read. */
  tableReferences(meet: (table: NamedTable) => void): void;
  tableName(): NamedTable;
  /** The name of a column, possibly with the name of its table before it. */
  columnName(): string;
  list(item: () => void): void;
  /** WHERE, ORDER BY and LIMIT, as UPDATE and DELETE have them. */
  rest(): void;
}

const COMPARING = ['=', '<=>', '<>', '!=', '<', '>', '<=', '>='];
const OTHER_SIGNS = ['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '||', '&&'];
const OPERATORS = ['AND', 'OR', 'XOR', 'DIV', 'MOD', 'LIKE', 'REGEXP', 'RLIKE', 'BETWEEN'];
const UNITS = `MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR`.split(' ');
/** Types in CAST and in declarations of variables. */
const TYPES = `
  TINYINT SMALLINT MEDIUMINT INT INTEGER BIGINT DECIMAL NUMERIC FLOAT DOUBLE REAL BIT BOOL BOOLEAN DATE TIME DATETIME
  TIMESTAMP YEAR CHAR VARCHAR BINARY VARBINARY TINYTEXT TEXT MEDIUMTEXT LONGTEXT TINYBLOB BLOB MEDIUMBLOB LONGBLOB
  JSON UUID SIGNED UNSIGNED`
  .trim()
  .split(/\s+/);

export function createExpressionReader(
  cursor: TokenCursor,
  found: FoundInExpression,
): ExpressionReader {
  function list(item: () => void): void {
    do item();
    while (cursor.takeSign(','));
  }

  function expression(): void {
    operand();
    for (;;) {
      if (cursor.takeWord('IS')) {
        cursor.takeWord('NOT');
        cursor.expectWord('NULL', 'TRUE', 'FALSE', 'UNKNOWN');
      } else if (cursor.takeWord('COLLATE', 'ESCAPE')) {
        if (!cursor.takeLiteral()) cursor.name();
      } else if (cursor.takeWord('IN') || cursor.takeWords('NOT', 'IN')) {
        cursor.expectSign('(');
        queryOrList();
      } else if (takeOperator()) operand();
      else return;
    }
  }

  function takeOperator(): boolean {
    if (cursor.takeSign(...COMPARING, ...OTHER_SIGNS) || cursor.takeWord(...OPERATORS)) return true;
    return ['LIKE', 'REGEXP', 'RLIKE', 'BETWEEN'].some((word) => cursor.takeWords('NOT', word));
  }

  function operand(): void {
    while (cursor.takeSign('-', '+', '~', '!') || cursor.takeWord('NOT', 'BINARY'));
    if (cursor.takeLiteral() || cursor.takeWord('NULL', 'TRUE', 'FALSE', 'DEFAULT')) return;
    if (cursor.takeSign('@')) {
      cursor.name();
      if (cursor.isSign('.')) throw cursor.notUnderstood();
    } else if (cursor.takeWord('EXISTS')) {
      cursor.expectSign('(');
      query();
      cursor.expectSign(')');
    } else if (cursor.takeSign('(')) queryOrList();
    else if (cursor.takeWord('CASE')) cases();
    else if (cursor.takeWord('INTERVAL')) {
      expression();
      cursor.expectWord(...UNITS);
    } else if (!call()) columnName();
  }

  /** After the opening bracket, up to and including the closing one. */
  function queryOrList(): void {
    if (cursor.isWord('SELECT')) query();
    else list(expression);
    cursor.expectSign(')');
  }

  function cases(): void {
    if (!cursor.isWord('WHEN')) expression();
    while (cursor.takeWord('WHEN')) {
      expression();
      cursor.expectWord('THEN');
      expression();
    }
    if (cursor.takeWord('ELSE')) expression();
    cursor.expectWord('END');
  }

  function call(): boolean {
    const called = cursor.takeCalled();
    if (called === undefined) return false;
    if (called.upper === 'CAST' || called.upper === 'CONVERT') converted(called.upper);
    else {
      if (!KNOWN_FUNCTIONS.has(called.upper)) found.calls.push(called.text);
      if (!cursor.isSign(')')) {
        cursor.takeWord('DISTINCT');
        if (!cursor.takeSign('*')) list(expression);
      }
      cursor.expectSign(')');
    }
    return true;
  }

  function converted(way: 'CAST' | 'CONVERT'): void {
    expression();
    if (way === 'CONVERT' && cursor.takeWord('USING')) cursor.name();
    else {
      if (way === 'CAST') cursor.expectWord('AS');
      else cursor.expectSign(',');
      readType(cursor);
    }
    cursor.expectSign(')');
  }

  function columnName(): string {
    let name = cursor.name();
    for (let parts = 1; parts < 3 && cursor.takeSign('.'); parts++) name = cursor.name();
    return name;
  }

  function tableName(): NamedTable {
    const first = cursor.name();
    return cursor.takeSign('.')
      ? { schema: first, table: cursor.name() }
      : { schema: null, table: first };
  }

  function alias(): void {
    if (cursor.takeWord('AS') || cursor.isName()) cursor.name();
  }

  function tableReferences(meet: (table: NamedTable) => void): void {
    const one = () => {
      if (!cursor.takeSign('(')) {
        meet(tableName());
        alias();
      } else if (cursor.isWord('SELECT')) {
        query();
        cursor.expectSign(')');
        alias();
      } else {
        tableReferences(meet);
        cursor.expectSign(')');
      }
    };
    one();
    while (cursor.takeSign(',') || takeJoin()) {
      one();
      if (cursor.takeWord('ON')) expression();
      else if (cursor.takeWord('USING')) {
        cursor.expectSign('(');
        list(() => cursor.name());
        cursor.expectSign(')');
      }
    }
  }

  function takeJoin(): boolean {
    if (cursor.takeWord('STRAIGHT_JOIN', 'JOIN')) return true;
    const isNatural = cursor.takeWord('NATURAL');
    const isOuter = cursor.takeWord('LEFT', 'RIGHT');
    if (isOuter) cursor.takeWord('OUTER');
    const isInner = !isOuter && cursor.takeWord('INNER', 'CROSS');
    if (!isNatural && !isOuter && !isInner) return false;
    cursor.expectWord('JOIN');
    return true;
  }

  function query(into?: () => void): void {
    cursor.expectWord('SELECT');
    cursor.takeWord('DISTINCT', 'ALL');
    list(selected);
    const hasInto = into !== undefined && cursor.takeWord('INTO');
    if (hasInto) into();
    if (cursor.takeWord('FROM') && !cursor.takeWord('DUAL'))
      tableReferences((table) => found.reads.push(table));
    where();
    if (cursor.takeWords('GROUP', 'BY')) list(sortKey);
    if (cursor.takeWord('HAVING')) expression();
    orderAndLimit();
    if (into !== undefined && !hasInto && cursor.takeWord('INTO')) into();
    if (!cursor.takeWords('FOR', 'UPDATE')) cursor.takeWords('LOCK', 'IN', 'SHARE', 'MODE');
    if (cursor.takeWord('UNION')) {
      cursor.takeWord('ALL', 'DISTINCT');
      query();
    }
  }

  function selected(): void {
    if (cursor.takeSign('*')) return;
    expression();
    if (cursor.takeWord('AS')) cursor.name();
  }

  function sortKey(): void {
    expression();
    cursor.takeWord('ASC', 'DESC');
  }

  function where(): void {
    if (cursor.takeWord('WHERE')) expression();
  }

  function orderAndLimit(): void {
    if (cursor.takeWords('ORDER', 'BY')) list(sortKey);
    const limit = () => {
      if (!cursor.takeLiteral()) cursor.name();
    };
    if (!cursor.takeWord('LIMIT')) return;
    limit();
    if (cursor.takeSign(',') || cursor.takeWord('OFFSET')) limit();
  }

  return {
    expression,
    query,
    tableReferences,
    tableName,
    columnName,
    list,
    rest() {
      where();
      orderAndLimit();
    },
  };
}

export function readType(cursor: TokenCursor): void {
  cursor.expectWord(...TYPES);
  if (cursor.takeSign('(')) {
    do if (!cursor.takeLiteral()) throw cursor.notUnderstood();
    while (cursor.takeSign(','));
    cursor.expectSign(')');
  }
  for (;;) {
    if (cursor.takeWord('UNSIGNED', 'SIGNED', 'ZEROFILL', 'INTEGER')) continue;
    if (!cursor.takeWord('CHARSET', 'COLLATE') && !cursor.takeWords('CHARACTER', 'SET')) return;
    cursor.name();
  }
}
