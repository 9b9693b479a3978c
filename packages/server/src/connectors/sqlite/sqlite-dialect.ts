// In SQLite each value has its own type, regardless of its column's: 1 and '1' are two keys. So the text of a
// key begins with its type: `i:42`, `t:abc`, `r:1.5`, `b:00FF`; `x:61FF` is a text that is not valid UTF-8.
import { type NumberText, readNumber } from '../sql/canonical-value.ts';
import type { ColumnKind, ColumnShape } from '../sql/catalogue.ts';
import type { Bind, SqlDialect } from '../sql/dialect.ts';
import { padToPowerOfTwo } from '../sql/pad-values.ts';
import { isFolded } from '../sql/plan/compare-columns.ts';
import type { SqlValue } from '../sql/session.ts';
import { readSqliteCatalogue } from './sqlite-catalogue.ts';
import { readChanges } from './sqlite-changes.ts';
import { DRAFT_SQL } from './sqlite-draft-sql.ts';
import { isExactText, textBytes } from './sqlite-exact-text.ts';
import {
  amongMatched,
  hasTextOnWay,
  isUnreadable,
  mayMiss,
  readDocument,
} from './sqlite-matching.ts';
import { sqliteTransactions } from './sqlite-transactions.ts';

const INTEGER = /^(?:0|-?[1-9][0-9]{0,18})$/;
const MAX_INTEGER = 2n ** 63n;

/** Of a value that has the declared type of its column. */
const KEY_PREFIX: Readonly<Record<ColumnKind, string>> = {
  integer: 'i',
  decimal: 'i',
  binary: 'b',
  text: 't',
  uuid: 't',
  other: 't',
};

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

export const sqliteDialect: SqlDialect = {
  quote,
  placeholder: () => '?',
  namedPlaceholder: () => '?',
  maxValues: 4096,
  pack: null,
  readFingerprint: null,
  readSearchPath: null,
  readSettings: null,
  typing: { isByColumn: false },
  spelling: { truth: { true: '1', false: '0' }, isBitNumber: false },
  json: {
    otherKinds: ['text', 'binary'],
    fromText: null,
    isEnsured: false,
    isCheckedText: false,
  },
  // It misses some spellings that it treats as equal, and then refuses to delete the parent. It checks at the end of
  // the statement, except for RESTRICT.
  foreignKeys: { nullsAllEqual: false, circlesStayOn: ['restrict'], isMisleading: () => null },
  draftSql: DRAFT_SQL,
  hidesColumns: false,
  deleteReturns: true,
  proceduresCommit: false,
  // BEGIN IMMEDIATE has locked everything.
  forUpdate: '',
  forShare: '',
  async readSchema(session, tables, leads = []) {
    return {
      catalogue: await readSqliteCatalogue(session, tables, leads),
      lowerIndexed: new Set(),
    };
  },
  readKey(column) {
    const name = quote(column.name);
    return `CASE typeof(${name}) WHEN 'integer' THEN 'i:' || ${name} WHEN 'text' THEN CASE WHEN ${isExactText(name)} THEN 't:' || ${name} ELSE 'x:' || ${textBytes(name)} END WHEN 'real' THEN 'r:' || printf('%!.17g', ${name}) WHEN 'blob' THEN 'b:' || hex(${name}) END`;
  },
  readText(column) {
    const name = quote(column.name);
    // A blob equals no text, and is not empty either.
    return `CASE WHEN typeof(${name}) = 'blob' THEN 'b:' || hex(${name}) WHEN typeof(${name}) <> 'text' OR ${isExactText(name)} THEN CAST(${name} AS TEXT) ELSE 'b:' || ${textBytes(name)} END`;
  },
  plainKey: (key) => key.slice(2),
  prefixedKey: ({ kind }, text) => `${KEY_PREFIX[kind]}:${text}`,
  readNumber: readStoredNumber,
  canHoldKey: () => true,
  canHoldText: () => true,
  amongKeys(columns, rows, bind) {
    const tuples = padToPowerOfTwo(rows).map((row) => {
      const values = columns.map((_, place) => boundKey(row[place] ?? null, bind));
      return values.length === 1 ? values.join() : `(${values.join(', ')})`;
    });
    // SQLite does not allow a list of row values on the right of IN, but a table of them.
    return columns.length === 1
      ? `${names(columns)} IN (${tuples.join(', ')})`
      : `(${names(columns)}) IN (VALUES ${tuples.join(', ')})`;
  },
  // Numbers, and texts as the collation of either side compares them: SQLite has no UUID type.
  amongLoosely(column, comparison, texts, bind, other) {
    if (comparison === 'folded') {
      const collations = new Set([column, other].map(({ collation }) => collation ?? 'BINARY'));
      const values = padToPowerOfTwo(texts);
      const ways = [...collations].map(
        (collation) =>
          `${quote(column.name)} COLLATE ${collation} IN (${values.map((key) => boundKey(key, bind)).join(', ')})`,
      );
      return `(${ways.join(' OR ')})`;
    }
    return amongNumbers(column, texts, bind, isFolded(column, other));
  },
  // Compares as a foreign key does: with the parent's collation, and the parent's affinity for the child's
  // value.
  refersTo: (parent, child) => `${parent} = +${child}`,
  amongForeign: (pairs, references, bind) =>
    sqliteDialect.amongKeys(
      pairs.map(({ parentColumn }) => parentColumn),
      references,
      bind,
    ),
  amongTexts: (column, texts, bind) => `${quote(column.name)} IN (${textValues(texts, bind)})`,
  // SQLite's NOCASE folds ASCII letters and no others.
  amongFolded: (column, emails, bind) =>
    `${quote(column.name)} COLLATE NOCASE IN (${textValues(emails, bind)})`,
  amongMatched: (match, texts, bind) => amongMatched(match, texts, bind, quote),
  readDocument: (column) => readDocument(column, quote),
  isUnreadable: (column) => isUnreadable(column, quote),
  mayMiss: (column, path) => mayMiss(column, path, quote),
  hasTextOnWay: (column, path) => hasTextOnWay(column, path, quote),
  equals: (column, value, bind) =>
    `${quote(column.name)} COLLATE BINARY IS ${bind(assigned(column, value))}`,
  assigned,
  asksBeforeAll: true,
  defer: { sql: 'PRAGMA defer_foreign_keys = ON', isForAll: true },
  deletesCircles: false,
  transactions: sqliteTransactions,
  beforeCounting: null,
  measure: null,
  changesSoFar: readChanges,
  tablesThere: null,
  countWritten: null,
  isStandby: async () => false,
};

/** The driver passes a JavaScript number as a floating-point value: 0 would become '0.0' in a text column. */
function assigned({ type }: ColumnShape, value: string | number | boolean | null): SqlValue {
  if (value === null || typeof value === 'string') return value;
  if (/CHAR|CLOB|TEXT/i.test(type) && !/INT/i.test(type)) return String(value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? BigInt(number) : number;
}

function names(columns: readonly ColumnShape[]): string {
  return columns.map(({ name }) => quote(name)).join(', ');
}

function numberValue(text: string): SqlValue {
  return INTEGER.test(text) && isInRange(BigInt(text)) ? BigInt(text) : toReal(text);
}

/** What is no 64-bit integer is a floating-point number here: 0.1 and the one next to it are the same. */
function readStoredNumber(text: string): NumberText | undefined {
  const number = readNumber(text);
  if (number === undefined) return undefined;
  if (INTEGER.test(number.canonical) && isInRange(BigInt(number.canonical))) return number;
  const canonical = readNumber(String(Number(number.canonical)))?.canonical ?? number.canonical;
  return { canonical, isCanonical: canonical === text };
}

/** Values that are no numbers, and the infinities, have the prefix of `readKey`. */
function amongNumbers(
  column: ColumnShape,
  keys: readonly string[],
  bind: Bind,
  isLoose: boolean,
): string {
  const name = quote(column.name);
  const number = column.kind === 'text' ? `CAST(${name} AS NUMERIC)` : name;
  const isOther = (key: string) => /^[tbxr]:/.test(key);
  const numbers = padToPowerOfTwo(keys.filter((key) => !isOther(key)).flatMap(numberValues));
  const others = padToPowerOfTwo(keys.filter(isOther));
  const ways = [
    [number, numbers.map(bind)] as const,
    [`${name} COLLATE BINARY`, others.map((key) => boundKey(key, bind))] as const,
    [`lower(rtrim(${name}))`, isLoose ? others.map((key) => boundKey(key, bind)) : []] as const,
  ].filter(([, values]) => values.length > 0);
  return `(${ways.map(([value, values]) => `${value} IN (${values.join(', ')})`).join(' OR ')})`;
}

/** A large integer may have been stored as the floating-point number next to it. */
function numberValues(text: string): SqlValue[] {
  const value = numberValue(text);
  return typeof value === 'bigint' && !Number.isSafeInteger(Number(value))
    ? [value, Number(value)]
    : [value];
}

function boundKey(key: string | null, bind: Bind): string {
  if (key?.startsWith('x:')) return `CAST(${bind(Buffer.from(key.slice(2), 'hex'))} AS TEXT)`;
  return bind(keyValue(key));
}

function keyValue(text: string | null): SqlValue {
  const value = text?.slice(2) ?? null;
  if (value === null || text?.startsWith('t:')) return value;
  if (text?.startsWith('i:')) return BigInt(value);
  return text?.startsWith('b:') ? Buffer.from(value, 'hex') : toReal(value);
}

/** SQLite writes `Inf` for what JavaScript reads as `Infinity`. */
function toReal(text: string): number {
  return Number(text.replace(/Inf$/, 'Infinity'));
}

// A column without an affinity may hold an identity as a number, which no text equals.
function textValues(texts: readonly string[], bind: Bind): string {
  const values = texts.flatMap((text): SqlValue[] =>
    INTEGER.test(text) && isInRange(BigInt(text)) ? [text, BigInt(text)] : [text],
  );
  return padToPowerOfTwo(values).map(bind).join(', ');
}

function isInRange(value: bigint): boolean {
  return value >= -MAX_INTEGER && value < MAX_INTEGER;
}
