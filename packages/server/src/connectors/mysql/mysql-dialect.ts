import { canHold } from '../sql/can-hold.ts';
import { type NumberText, readNumber } from '../sql/canonical-value.ts';
import type { ColumnShape } from '../sql/catalogue.ts';
import type { Bind, SqlDialect } from '../sql/dialect.ts';
import { padToPowerOfTwo } from '../sql/pad-values.ts';
import type { Comparison } from '../sql/plan/compare-columns.ts';
import type { SqlValue } from '../sql/session.ts';
import { boundBytes, readExactly } from './exact-text.ts';
import { readMysqlCatalogue } from './mysql-catalogue.ts';
import { DRAFT_SQL } from './mysql-draft-sql.ts';
import { amongMatched, hasTextOnWay, isUnreadable, mayMiss } from './mysql-matching.ts';
import { readHandlers, readRowsModified } from './mysql-measure.ts';
import { mysqlTransactions } from './mysql-transactions.ts';
import { inCharacterSet, textOf } from './parameter.ts';
import { quoteMysqlName } from './quote-name.ts';
import { isPaddedOtherwise } from './stored-alike.ts';

/**
 * Language-independent collations that treat at least the upper and lower case of ASCII letters as equal,
 * so that an index on the column can be used. Others may distinguish I from i (Turkish) or treat two
 * letters as one (Czech, Spanish).
 */
const NEUTRAL =
  /^(?:[a-z0-9]+_(?:general|unicode|unicode_520|0900_ai|0900_as|swedish)_ci|(?:[a-z0-9]+_)?uca1400_(?:nopad_)?a[is]_ci)$/;

const utf8 = (name: string) => `CONVERT(${name} USING utf8mb4) COLLATE utf8mb4_bin`;

export const mysqlDialect: SqlDialect = {
  quote: quoteMysqlName,
  placeholder: () => '?',
  namedPlaceholder: () => '?',
  maxValues: 4096,
  pack: null,
  readFingerprint: null,
  readSearchPath: null,
  readSettings: null,
  typing: {
    isByColumn: true,
    hexColumn: {
      add: (table, name, bytes) =>
        `ALTER TABLE ${table} ADD COLUMN ${name}_hex varchar(${2 * bytes}) GENERATED ALWAYS AS (hex(${name})) STORED`,
      letters: 'capital',
    },
  },
  spelling: { truth: { true: '1', false: '0' }, isBitNumber: true },
  json: {
    otherKinds: ['text'],
    fromText: null,
    isEnsured: false,
    // On MariaDB.
    isCheckedText: true,
  },
  foreignKeys: {
    nullsAllEqual: true,
    circlesStayOn: ['no_action', 'restrict'],
    isMisleading: isPaddedOtherwise,
  },
  draftSql: DRAFT_SQL,
  hidesColumns: true,
  deleteReturns: false,
  proceduresCommit: true,
  forUpdate: ' FOR UPDATE',
  forShare: ' LOCK IN SHARE MODE',
  async readSchema(session, tables, leads = []) {
    return { catalogue: await readMysqlCatalogue(session, tables, leads), lowerIndexed: new Set() };
  },
  readKey(column) {
    const text = readText(column);
    if (column.kind !== 'text' || column.encoding === undefined) return text;
    return readExactly(quoteMysqlName(column.name), text, column.encoding.name);
  },
  readText,
  plainKey: (key) => key,
  prefixedKey: (_column, text) => text,
  readNumber: readLeadingNumber,
  canHoldKey: canHold,
  canHoldText: canHold,
  amongKeys(columns, rows, bind) {
    const tuples = padToPowerOfTwo(rows).map((row) => {
      const values = columns.map((column, place) => boundText(column, row[place] ?? null, bind));
      return values.length === 1 ? values.join() : `(${values.join(', ')})`;
    });
    const names = columns.map(compared).join(', ');
    return `${columns.length === 1 ? names : `(${names})`} IN (${tuples.join(', ')})`;
  },
  amongLoosely,
  refersTo: (parent, child) => `${parent} = ${child}`,
  amongForeign: (pairs, references, bind) =>
    mysqlDialect.amongKeys(
      pairs.map(({ parentColumn }) => parentColumn),
      references,
      bind,
    ),
  amongTexts(column, texts, bind) {
    if (column.encoding?.isAmbiguous)
      return `${utf8(quoteMysqlName(column.name))} IN (${padToPowerOfTwo(texts).map(bind).join(', ')})`;
    const values = padToPowerOfTwo(texts).map((text) => bound(column, bind(text)));
    return `${compared(column)} IN (${values.join(', ')})`;
  },
  amongFolded(column, emails, bind) {
    const values = padToPowerOfTwo(emails).map(bind);
    const isServed = column.collation !== null && NEUTRAL.test(column.collation);
    if (isServed && column.encoding?.isAmbiguous !== true)
      return `${quoteMysqlName(column.name)} IN (${values.map((value) => bound(column, value)).join(', ')})`;
    const folded = values.map((value) => `LOWER(${value})`).join(', ');
    return `LOWER(${utf8(quoteMysqlName(column.name))}) IN (${folded})`;
  },
  amongMatched: (match, texts, bind) => amongMatched(match, texts, bind, quoteMysqlName),
  readDocument: ({ name }) => `CAST(${quoteMysqlName(name)} AS CHAR CHARACTER SET utf8mb4)`,
  isUnreadable: (column) => isUnreadable(column, quoteMysqlName),
  mayMiss: (column, path, bind) => mayMiss(column, path, bind, quoteMysqlName),
  hasTextOnWay: (column, path, bind) => hasTextOnWay(column, path, bind, quoteMysqlName),
  equals(column, value, bind) {
    const name = quoteMysqlName(column.name);
    if (value === null) return `${name} IS NULL`;
    const left = column.kind === 'text' ? utf8(name) : name;
    return `${left} <=> ${asStored(column, bind(assigned(column, value)))}`;
  },
  assigned,
  asksBeforeAll: true,
  defer: null,
  deletesCircles: false,
  transactions: mysqlTransactions,
  beforeCounting: null,
  changesSoFar: null,
  measure: { rows: readRowsModified, statements: readHandlers },
  tablesThere: null,
  countWritten: null,
  async isStandby(session) {
    const { rows } = await session.query('SELECT @@global.read_only AS r');
    // A number or, in newer MariaDB, a word: OFF, or what is refused.
    return !/^(0|off)$/i.test(String(rows[0]?.r));
  },
};

/** The server reads a number from the beginning of a text, and 0 if there is none. */
function readLeadingNumber(text: string): NumberText {
  const start = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?/i.exec(text)?.[0] ?? '0';
  const number = readNumber(start);
  return { canonical: number?.canonical ?? '0', isCanonical: number?.canonical === text };
}

function amongLoosely(
  column: ColumnShape,
  comparison: Exclude<Comparison, 'exact' | 'foreign'>,
  texts: readonly string[],
  bind: Bind,
  other: ColumnShape,
): string {
  const name = quoteMysqlName(column.name);
  const padded = padToPowerOfTwo(texts);
  if (comparison === 'folded') {
    const valuesOf = (side: ColumnShape) => padded.map((text) => boundText(side, text, bind));
    const ways = [`${name} IN (${valuesOf(column).join(', ')})`];
    if (other.collation !== null)
      ways.push(
        `CONVERT(${name} USING ${other.encoding?.name ?? 'utf8mb4'}) COLLATE ${other.collation} IN (${valuesOf(other).join(', ')})`,
      );
    return `(${ways.join(' OR ')})`;
  }
  if (comparison === 'number')
    return `${name} IN (${padded.map((text) => `CAST(${textOf(bind(text))} AS DECIMAL(65,10))`).join(', ')})`;
  if (column.kind === 'uuid') return `${name} IN (${padded.map(bind).join(', ')})`;
  const digits = padded.map((text) => bind(text.replaceAll('-', ''))).join(', ');
  return `REPLACE(REPLACE(REPLACE(LOWER(${utf8(name)}), '-', ''), '{', ''), '}', '') IN (${digits})`;
}

/** Converting these never produces a text. */
const SPATIAL = /^(?:geometry|point|linestring|polygon|multi\w+|geom\w+)\b/i;

function readText(column: ColumnShape): string {
  if (column.computed !== undefined) return column.computed.sql;
  const name = quoteMysqlName(column.name);
  if (column.kind === 'binary') return `HEX(${name})`;
  if (SPATIAL.test(column.type)) return `HEX(ST_AsBinary(${name}))`;
  // Without the leading zeros that such a column displays; and bits as a number.
  const plain = /zerofill|^bit\b/i.test(column.type) ? `(${name} + 0)` : name;
  return `CAST(${plain} AS CHAR CHARACTER SET utf8mb4)`;
}

/**
 * Compared with a number, a text counts as the number at its beginning, usually 0. So a text is compared
 * only with a text, and an integer only with an integer.
 */
function assigned(column: ColumnShape, value: string | number | boolean | null): SqlValue {
  if (value === null) return null;
  if (/^(?:float|double|year|bit)$/.test(column.base ?? '') && Number.isFinite(Number(value)))
    return Number(value);
  const isNumber = column.kind === 'integer' || column.kind === 'decimal';
  return isNumber && typeof value === 'boolean' ? String(Number(value)) : String(value);
}

/** A value as the column would store it: rounded, cut or padded. */
function asStored(column: ColumnShape, placeholder: string): string {
  if (column.kind === 'integer') return bound(column, placeholder);
  const { type, base = '' } = column;
  const [, length = '0', scale] = /\((\d+)(?:,\s*(\d+))?\)/.exec(type) ?? [];
  switch (base) {
    case 'decimal':
      return `CAST(${textOf(placeholder)} AS DECIMAL(${length}, ${scale ?? 0}))`;
    case 'float':
    case 'double': {
      const real = `CAST(${placeholder} AS ${base === 'float' ? 'FLOAT' : 'DOUBLE'})`;
      return scale === undefined ? real : `CAST(ROUND(${real}, ${scale}) AS ${base})`;
    }
    case 'date':
      return `CAST(${textOf(placeholder)} AS DATE)`;
    case 'datetime':
    case 'timestamp':
      return `CAST(${textOf(placeholder)} AS DATETIME(${length}))`;
    case 'time':
      return `CAST(${textOf(placeholder)} AS TIME(${length}))`;
    // Only MySQL's JSON type: MariaDB's is a text.
    case 'json':
      return `CAST(${textOf(placeholder)} AS JSON)`;
    case 'binary':
      return `CAST(${placeholder} AS BINARY(${length}))`;
    default:
      return placeholder;
  }
}

/**
 * Dates, enumerations and similar types are compared as text: it is hard to predict which other texts they would
 * equal.
 */
function compared(column: ColumnShape): string {
  return column.kind === 'other' ? readText(column) : quoteMysqlName(column.name);
}

/**
 * Numbers are compared as numbers: together with a text they would be compared as floating-point numbers.
 * Texts are converted to the column's character set, because the server refuses to mix them; characters
 * that it lacks become question marks.
 */
function bound({ kind, type, collation }: ColumnShape, placeholder: string): string {
  if (kind === 'integer')
    return `CAST(${textOf(placeholder)} AS ${/unsigned/i.test(type) ? 'UNSIGNED' : 'SIGNED'})`;
  if (kind === 'decimal')
    return `CAST(${textOf(placeholder)} AS ${type.replaceAll(/ ?(?:unsigned|zerofill)/gi, '')})`;
  if (kind === 'binary') return `UNHEX(${placeholder})`;
  const [, characterSet] = /^([a-z0-9]+)_\w+$/.exec(collation ?? '') ?? [];
  if (kind !== 'text' || characterSet === undefined || /^(?:utf8mb4|uca1400)$/.test(characterSet))
    return placeholder;
  return `${inCharacterSet(placeholder, characterSet)} COLLATE ${collation}`;
}

function boundText(column: ColumnShape, key: string | null, bind: Bind): string {
  return boundBytes(column, key, bind) ?? bound(column, bind(key));
}
