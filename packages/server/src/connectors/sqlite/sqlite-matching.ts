// How SQLite finds candidates for values inside JSON, and for values with blanks around them. An index is used
// only if it is on exactly the expression that is written here.
import { ignoresCase } from '../../domain/request/identity.ts';
import { isOfList, type JsonPath } from '../../domain/target/json-path.ts';
import { BLANKS } from '../sql/blanks.ts';
import type { ColumnShape } from '../sql/catalogue.ts';
import type { Bind } from '../sql/dialect.ts';
import { listedTexts } from '../sql/listed-texts.ts';
import { padToPowerOfTwo } from '../sql/pad-values.ts';
import type { MatchedPlace, PlannedMatch } from '../sql/plan/plan.ts';
import { writeJsonPath } from '../sql/write-json-path.ts';

type Quote = (name: string) => string;

/** Standard JSON text, and SQLite's own binary form. */
const isReadable = (name: string) => `json_valid(${name}, 9)`;

const TRIMMED = `char(${[...BLANKS].map((blank) => blank.codePointAt(0)).join(', ')})`;

/** The text to compare; an index must have the same expression. */
export function matchedValue({ column, path, trim }: MatchedPlace, quote: Quote): string {
  const name = quote(column.name);
  const value =
    path === null
      ? name
      : `CASE WHEN ${isReadable(name)} THEN json_extract(${name}, ${literal(writeJsonPath(path))}) END`;
  const text = `CAST(${value} AS TEXT)`;
  return trim ? `trim(${text}, ${TRIMMED})` : text;
}

export function amongMatched(
  match: Pick<PlannedMatch, 'type' | 'column' | 'path' | 'trim'>,
  texts: readonly string[],
  bind: Bind,
  quote: Quote,
): string {
  if (isOfList(match.path)) return amongListed(match.column, texts, bind, quote);
  const value = matchedValue(match, quote);
  const list = (values: readonly string[]) => padToPowerOfTwo(values).map(bind).join(', ');
  if (ignoresCase(match.type)) return `${value} COLLATE NOCASE IN (${list(texts)})`;
  const among = `${value} COLLATE BINARY IN (${list(texts)})`;
  // A number with this many digits is rounded when it is read from JSON.
  const long = texts.filter((text) => /^-?\d/.test(text) && (text.length > 15 || /e/i.test(text)));
  if (match.path === null || long.length === 0) return among;
  const name = quote(match.column.name);
  return `(${among} OR CASE WHEN ${isReadable(name)} THEN ${name} -> ${literal(writeJsonPath(match.path))} END IN (${list(long)}))`;
}

/** Documents with one of these texts somewhere in them. */
function amongListed(
  column: ColumnShape,
  texts: readonly string[],
  bind: Bind,
  quote: Quote,
): string {
  const { words, numbers } = listedTexts(texts);
  const document = `lower(${readDocument(column, quote)})`;
  const ways = [
    ...words.map((word) => `instr(${document}, ${bind(word)}) > 0`),
    ...numbers.map((number) => `' ' || ${document} || ' ' GLOB ${bind(`*[^0-9]${number}[^0-9]*`)}`),
  ];
  return `(${ways.join(' OR ')})`;
}

export function readDocument(column: ColumnShape, quote: Quote): string {
  const name = quote(column.name);
  return `CASE WHEN typeof(${name}) = 'blob' AND ${isReadable(name)} THEN json(${name}) ELSE CAST(${name} AS TEXT) END`;
}

export function isUnreadable({ name }: ColumnShape, quote: Quote): string {
  return `NOT ${isReadable(quote(name))}`;
}

/** If a name occurs several times, SQLite takes the first. */
export function mayMiss(column: ColumnShape, path: JsonPath, quote: Quote): string {
  const name = quote(column.name);
  if (isOfList(path)) {
    const isEscaped = ['\\u', '\\/'].map((text) => `instr(CAST(${name} AS TEXT), '${text}') > 0`);
    return `CASE WHEN ${isReadable(name)} THEN ${isEscaped.join(' OR ')} ELSE ${name} IS NOT NULL END`;
  }
  const twice = path.flatMap((part, place) => {
    if (typeof part === 'number') return [];
    const owner = literal(writeJsonPath(path.slice(0, place)));
    // Inside json_each itself, `value` and `key` would be its own columns.
    const document = `(SELECT ${name} AS unwrite_document) d`;
    return `(SELECT count(*) FROM ${document}, json_each(d.unwrite_document, ${owner}) m WHERE m.key = ${literal(part)}) > 1`;
  });
  const missed = [...twice, ...textsOnWay(name, path)];
  return `CASE WHEN ${isReadable(name)} THEN ${missed.join(' OR ')} ELSE ${name} IS NOT NULL END`;
}

export function hasTextOnWay(column: ColumnShape, path: JsonPath, quote: Quote): string {
  const name = quote(column.name);
  if (isOfList(path)) return `instr(CAST(${name} AS TEXT), '\\"') > 0`;
  return `CASE WHEN ${isReadable(name)} THEN ${textsOnWay(name, path).join(' OR ')} END`;
}

function textsOnWay(name: string, path: JsonPath): string[] {
  return path.map(
    (_, place) => `json_type(${name}, ${literal(writeJsonPath(path.slice(0, place)))}) = 'text'`,
  );
}

/** A literal, because an index has one; it never contains a value of a request. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
