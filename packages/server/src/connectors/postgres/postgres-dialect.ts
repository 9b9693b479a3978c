import { ignoresCase } from '../../domain/request/identity.ts';
import type { KeyRow } from '../../domain/target/connector.ts';
import { isOfList } from '../../domain/target/json-path.ts';
import { canHold } from '../sql/can-hold.ts';
import type { ColumnShape, ForeignOperator } from '../sql/catalogue.ts';
import { type Bind, type ForeignPair, quoteTable, type SqlDialect } from '../sql/dialect.ts';
import { type Comparison, isPadded } from '../sql/plan/compare-columns.ts';
import { arrayLiteral, textArray } from './array-literal.ts';
import { castableTexts } from './castable-texts.ts';
import { readPostgresCatalogue } from './postgres-catalogue.ts';
import { countWritten, readChanges, readTables } from './postgres-changes.ts';
import { DRAFT_SQL } from './postgres-draft-sql.ts';
import { readFingerprint } from './postgres-fingerprint.ts';
import {
  amongListed,
  exactValue,
  foldedValue,
  hasTextOnWay,
  isUnreadable,
  mayMiss,
} from './postgres-matching.ts';
import { findLowerIndexed } from './postgres-schema.ts';
import { postgresTransactions } from './postgres-transactions.ts';
import { isSpecial, readAnyNumber, spellingsOf } from './special-numbers.ts';

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const quoted = (table: string) => quoteTable(postgresDialect, table);
// PostgreSQL cannot store this character in a text.
const holds = (column: ColumnShape, text: string) => canHold(column, text) && !text.includes('\0');

const READ_SETTINGS = `
  SELECT name, pg_catalog.current_setting(name) AS value
  FROM unnest(ARRAY['search_path', 'role', 'row_security', 'session_replication_role']) AS name`;

export const postgresDialect: SqlDialect = {
  quote,
  placeholder: (position) => `$${position}`,
  // Typed as text, so that hand-written SQL never reads a number from a text such as 0123.
  namedPlaceholder: (position) => `$${position}::text`,
  maxValues: 10_000,
  pack(sql, select) {
    // Texts separated by commas are made several times faster than arrays.
    const columns = select.map(({ name, isPlain }) =>
      isPlain
        ? `string_agg(coalesce(q.${name}, ''), ',') AS ${name}`
        : `json_agg(q.${name}) AS ${name}`,
    );
    return `WITH q AS (${sql}) SELECT ${columns.join(', ')} FROM q`;
  },
  typing: {
    isByColumn: true,
    hexColumn: {
      add: (table, name) =>
        `ALTER TABLE ${table} ADD COLUMN ${name}_hex text GENERATED ALWAYS AS (encode(${name}, 'hex')) STORED`,
      letters: 'small',
    },
  },
  spelling: { truth: { true: 'true', false: 'false' }, isBitNumber: false },
  json: {
    // Only the JSON types ensure that every function can read the value.
    otherKinds: [],
    fromText: (table, column) =>
      `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE jsonb USING ${column}::jsonb`,
    isEnsured: true,
    isCheckedText: false,
  },
  foreignKeys: { nullsAllEqual: true, circlesStayOn: [], isMisleading: () => null },
  draftSql: DRAFT_SQL,
  hidesColumns: false,
  deleteReturns: true,
  proceduresCommit: false,
  // The transaction sees one snapshot, and the server refuses to change a row that was changed since. Only
  // rows that are not changed have to be locked.
  forUpdate: '',
  forShare: ' FOR SHARE',
  async readSchema(session, tables, leads = []) {
    const catalogue = await readPostgresCatalogue(session, tables, leads);
    return { catalogue, lowerIndexed: await findLowerIndexed(session, catalogue, quoted) };
  },
  readFingerprint: (session, tables) => readFingerprint(session, tables, quoted),
  readKey: (column) => `${quote(column.name)}::text`,
  readText: (column) => `${quote(column.name)}::text`,
  plainKey: (key) => key,
  prefixedKey: (_column, text) => text,
  readNumber: readAnyNumber,
  canHoldKey: (column, text) => holds(column, text) || isSpecial(column, text),
  canHoldText: holds,
  amongKeys(columns, rows, bind) {
    const names = columns.map(comparedName);
    const [only] = columns;
    if (only !== undefined && columns.length === 1)
      return `${names.join()} ${equalTo(only)} ANY(${bind(arrayLiteral(rows, 0))}::${comparedType(only)}[])`;
    const { from, values } = unnested(columns, columns, rows, bind);
    if (!columns.some(({ equals: own }) => own !== undefined))
      return `(${names.join(', ')}) IN (SELECT ${values.join(', ')} FROM ${from})`;
    const equal = columns.map(
      (column, place) => `${names[place]} ${equalTo(column)} ${values[place]}`,
    );
    return `EXISTS (SELECT 1 FROM ${from} WHERE ${equal.join(' AND ')})`;
  },
  amongLoosely,
  refersTo,
  amongForeign,
  amongTexts(column, texts, bind) {
    // Casting a text that is not a label of the enumeration would be an error.
    if (column.kind === 'other') {
      const asText = `${quote(column.name)}::text = ANY(${bind(textArray(texts))}::text[])`;
      const castable = castableTexts(column, texts);
      if (castable === undefined || castable.texts.length === 0) return asText;
      return `(${asText} OR ${quote(column.name)} = ANY(${bind(textArray(castable.texts))}::${castable.type}[]))`;
    }
    return `${quote(column.name)} ${equalTo(column)} ANY(${bind(textArray(texts))}::${comparedType(column)}[])`;
  },
  amongFolded(column, emails, bind, isLowerIndexed) {
    const name = quote(column.name);
    const array = bind(textArray(emails));
    if (!isLowerIndexed) return `lower(${name}::text COLLATE "C") = ANY(${array}::text[])`;
    if (column.isCaseless === true)
      return `${name} ${equalTo(column)} ANY(${array}::${comparedType(column)}[])`;
    return `lower(${name}) = ANY(ARRAY(SELECT lower(v) FROM unnest(${array}::text[]) v))`;
  },
  amongMatched(match, texts, bind) {
    if (isOfList(match.path))
      return amongListed(match.column, texts, (list) => bind(textArray(list)), quote);
    const value = ignoresCase(match.type) ? foldedValue(match, quote) : exactValue(match, quote);
    return `${value} = ANY(${bind(textArray(texts))}::text[])`;
  },
  readDocument: ({ name }) => `${quote(name)}::text`,
  isUnreadable: (column) => isUnreadable(column, quote),
  mayMiss: (column, path) => mayMiss(column, path, quote),
  hasTextOnWay: (column, path) => hasTextOnWay(column, path, quote),
  equals,
  assigned: (_, value) => (value === null ? null : String(value)),
  asksBeforeAll: false,
  defer: { sql: 'SET CONSTRAINTS ALL DEFERRED', isForAll: false },
  deletesCircles: true,
  transactions: postgresTransactions,
  beforeCounting: 'SET CONSTRAINTS ALL IMMEDIATE',
  measure: null,
  changesSoFar: (session, tables) => readChanges(session, tables, quoted),
  tablesThere: (session, tables) => readTables(session, tables, quoted),
  countWritten: (session, table) => countWritten(session, quoted(table)),
  async readSettings(session) {
    const { rows } = await session.query(READ_SETTINGS);
    return new Map(rows.map(({ name, value }) => [String(name), String(value)]));
  },
  async readSearchPath(session) {
    const { rows } = await session.query('SELECT current_schemas(false)::text AS schemas');
    return String(rows[0]?.schemas);
  },
  async isStandby(session) {
    const { rows } = await session.query('SELECT pg_catalog.pg_is_in_recovery() AS r');
    return rows[0]?.r === true;
  },
};

function equals(column: ColumnShape, value: string | number | boolean | null, bind: Bind): string {
  const name = quote(column.name);
  if (value === null) return `${name} IS NULL`;
  // Cast to the column's type and back to text: there 0 is 0.00, and equality may be less than exact.
  const stored = `CAST(${bind(String(value))}::text AS ${column.type})::text`;
  return `${name}::text COLLATE "C" IS NOT DISTINCT FROM ${stored}`;
}

const IS_NUMBER = `'^[[:space:]]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?[[:space:]]*$'`;

function amongLoosely(
  column: ColumnShape,
  comparison: Exclude<Comparison, 'exact' | 'foreign'>,
  texts: readonly string[],
  bind: Bind,
  other: ColumnShape,
): string {
  const name = quote(column.name);
  if (comparison === 'folded') {
    const isTrimmed = isPadded(column) || isPadded(other);
    const trim = (text: string) => (isTrimmed ? `rtrim(${text}, ' ')` : text);
    const values = (fold: string) =>
      `ANY(ARRAY(SELECT ${fold} FROM unnest(${bind(textArray(texts))}::text[]) v))`;
    const ways = [`lower(${trim(`${name}::text`)}) = ${values(`lower(${trim('v')})`)}`];
    for (const collation of new Set([column.looseCollation, other.looseCollation]))
      if (collation !== undefined)
        ways.push(`${trim(`${name}::text`)} COLLATE ${collation} = ${values(trim('v'))}`);
    return ways.length === 1 ? ways.join() : `(${ways.join(' OR ')})`;
  }
  if (comparison === 'uuid') {
    if (column.kind === 'uuid') return `${name} = ANY(${bind(textArray(texts))}::uuid[])`;
    const digits = texts.map((text) => text.replaceAll('-', ''));
    return `translate(lower(${name}::text), '-{}', '') = ANY(${bind(textArray(digits))}::text[])`;
  }
  if (column.kind === 'integer') {
    const fitting = texts.filter((text) => canHold(column, text));
    return `${name} = ANY(${bind(textArray(fitting))}::bigint[])`;
  }
  if (column.kind === 'decimal') return `${name} = ANY(${bind(textArray(texts))}::numeric[])`;
  const spellings = texts.flatMap((text) => spellingsOf(text) ?? []);
  if (spellings.length > 0) {
    const plain = texts.filter((text) => spellingsOf(text) === undefined);
    const special = `lower(btrim(${name}::text)) = ANY(${bind(textArray(spellings))}::text[])`;
    return plain.length === 0
      ? special
      : `(${special} OR ${amongLoosely(column, comparison, plain, bind, other)})`;
  }
  const numbers = `ANY(${bind(textArray(texts))}::numeric[])`;
  return `CASE WHEN ${name}::text COLLATE "C" ~ ${IS_NUMBER} THEN (${name}::text)::numeric END = ${numbers}`;
}

function refersTo(parent: string, child: string, operator: ForeignOperator | undefined): string {
  if (operator === undefined) return `${parent} = ${child}`;
  const { sql, parentType, childType, collation } = operator;
  const left = parentType === null ? parent : `${parent}::${parentType}`;
  const right = `${child}::${childType}${collation === null ? '' : ` COLLATE ${collation}`}`;
  return `${left} ${sql} (${right})`;
}

function amongForeign(
  pairs: readonly ForeignPair[],
  references: readonly KeyRow[],
  bind: Bind,
): string {
  const columns = pairs.map(({ column }) => column);
  const parents = pairs.map(({ parentColumn }) => parentColumn);
  const { from, values } = unnested(columns, parents, references, bind);
  const equal = pairs.map(({ parentColumn, operator }, place) =>
    refersTo(quote(parentColumn.name), `(${values[place]})`, operator),
  );
  return `EXISTS (SELECT 1 FROM ${from} WHERE ${equal.join(' AND ')})`;
}

/**
 * The rows as a table, for a condition on columns of another one: its own columns have names that none of
 * those has, as such a name would mean the column of this table. unnest() makes several columns of a
 * composite type, so it gets the types without kinds of their own as texts.
 */
function unnested(
  columns: readonly ColumnShape[],
  compared: readonly ColumnShape[],
  rows: readonly KeyRow[],
  bind: Bind,
) {
  const namesAfter = (start: string): readonly string[] => {
    const names = columns.map((_, place) => `${start}${place}`);
    return compared.some(({ name }) => names.includes(name)) ? namesAfter(`${start}v`) : names;
  };
  const names = namesAfter('v');
  const types = columns.map((column) => (column.kind === 'other' ? 'text' : comparedType(column)));
  const arrays = types.map((type, place) => `${bind(arrayLiteral(rows, place))}::${type}[]`);
  return {
    from: `unnest(${arrays.join(', ')}) AS v (${names.join(', ')})`,
    values: columns.map((column, place) => {
      const value = `v.${names[place]}`;
      return column.kind === 'other' ? `${value}::${comparedType(column)}` : value;
    }),
  };
}

const equalTo = (column: ColumnShape | undefined) => column?.equals ?? '=';

/** A domain over an enumeration has no operators. */
function comparedName({ name, kind, type, baseType = type }: ColumnShape): string {
  return kind === 'other' && type !== baseType ? `${quote(name)}::${baseType}` : quote(name);
}

/** Without lengths, which would truncate a value, and without domains, which would refuse it. */
function comparedType(column: ColumnShape): string {
  const { kind, type, baseType = type } = column;
  if (kind === 'integer') return 'bigint';
  if (kind === 'decimal') return 'numeric';
  if (kind === 'uuid' || kind === 'other') return baseType;
  if (kind === 'binary') return 'bytea';
  if (column.isCaseless === true) return baseType;
  return /^character\(|^bpchar/.test(type) ? 'bpchar' : 'text';
}
