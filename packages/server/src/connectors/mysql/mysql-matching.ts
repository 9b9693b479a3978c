// How MySQL and MariaDB find candidates for values inside JSON, and for values with blanks around them.
import { ignoresCase } from '../../domain/request/identity.ts';
import { isOfList, type JsonPath } from '../../domain/target/json-path.ts';
import { BLANKS } from '../sql/blanks.ts';
import type { ColumnShape } from '../sql/catalogue.ts';
import type { Bind } from '../sql/dialect.ts';
import { listedTexts } from '../sql/listed-texts.ts';
import { padToPowerOfTwo } from '../sql/pad-values.ts';
import type { PlannedMatch } from '../sql/plan/plan.ts';
import { writeJsonPath } from '../sql/write-json-path.ts';
import { otherSpellings } from './json-spellings.ts';

type Quote = (name: string) => string;

const BEFORE = `^[${BLANKS}]+`;
const utf8 = (value: string) => `CONVERT(${value} USING utf8mb4) COLLATE utf8mb4_bin`;

export function amongMatched(
  { type, column, path, trim }: Pick<PlannedMatch, 'type' | 'column' | 'path' | 'trim'>,
  texts: readonly string[],
  bind: Bind,
  quote: Quote,
): string {
  const name = quote(column.name);
  if (isOfList(path)) return amongListed(name, texts, bind);
  const value = utf8(path === null ? name : `JSON_UNQUOTE(${extract(column, path, bind, quote)})`);
  // Trimmed from each end separately: a search for blanks at the end takes quadratic time for blanks inside
  // a text.
  const begun = (text: string) => `REGEXP_REPLACE(${text}, ${bind(BEFORE)}, '')`;
  const trimmed = trim ? `REVERSE(${begun(`REVERSE(${begun(value)})`)})` : value;
  const values = padToPowerOfTwo(texts).map(bind);
  return ignoresCase(type)
    ? `LOWER(${trimmed}) COLLATE utf8mb4_bin IN (${values.map((one) => `LOWER(${one})`).join(', ')})`
    : `${trim ? `${trimmed} COLLATE utf8mb4_bin` : trimmed} IN (${values.join(', ')})`;
}

/** Documents with one of these texts somewhere in them. */
function amongListed(name: string, texts: readonly string[], bind: Bind): string {
  const { words, numbers } = listedTexts(texts);
  const document = `LOWER(${utf8(`CAST(${name} AS CHAR CHARACTER SET utf8mb4)`)})`;
  const ways = [
    ...words.map((word) => `LOCATE(LOWER(${bind(word)}) COLLATE utf8mb4_bin, ${document}) > 0`),
    ...numbers.map((number) => `${document} REGEXP ${bind(`(^|[^0-9])${number}([^0-9]|$)`)}`),
  ];
  return `(${ways.join(' OR ')})`;
}

/** MySQL's JSON type contains only valid JSON; MariaDB's is a text with a check that can be dropped. */
export function isUnreadable({ name, base }: ColumnShape, quote: Quote): string | null {
  return base === 'json' ? null : `NOT JSON_VALID(${quote(name)})`;
}

/**
 * If a name occurs several times, MariaDB takes the first, and it finds a name only in the spelling of the
 * path. JSON_KEYS returns each name once, in the spelling of the document. MySQL takes the last, and its functions never
 * see the others: there the text is searched.
 */
export function mayMiss(
  column: ColumnShape,
  path: JsonPath,
  bind: Bind,
  quote: Quote,
): string | null {
  if (isUnreadable(column, quote) === null) return null;
  const name = quote(column.name);
  if (isOfList(path)) {
    const isEscaped = ['\\u', '\\/'].map((text) => `LOCATE(${bind(text)}, ${name}) > 0`);
    return `CASE WHEN JSON_VALID(${name}) THEN ${isEscaped.join(' OR ')} ELSE ${name} IS NOT NULL END`;
  }
  const missed = path.flatMap((part, place) => {
    if (typeof part === 'number') return [];
    const owner = () => `${name}, ${bind(writeJsonPath(path.slice(0, place)))}`;
    return [
      isUnfound(part, bind),
      `JSON_LENGTH(${owner()}) <> JSON_LENGTH(JSON_KEYS(${owner()}))`,
      `CONVERT(JSON_KEYS(${owner()}) USING utf8mb4) REGEXP ${bind(otherSpellings(part))}`,
      mayBeTwice(name, part, bind),
    ];
  });
  const texts = textsOnWay(column, path, bind, quote);
  return `CASE WHEN JSON_VALID(${name}) THEN ${[...missed, ...texts].join(' OR ')} ELSE ${name} IS NOT NULL END`;
}

/** On MySQL: the text has the name twice, or in another spelling; anywhere, as its functions show only the last one. */
function mayBeTwice(column: string, name: string, bind: Bind): string {
  const text = utf8(column);
  const written = () => bind(JSON.stringify(name));
  const found = () => `LOCATE(${written()}, ${text})`;
  return `(VERSION() NOT LIKE '%MariaDB%' AND (${text} REGEXP ${bind(otherSpellings(name))} OR ${found()} > 0 AND LOCATE(${written()}, ${text}, ${found()} + 1) > 0))`;
}

/** MariaDB misreads some names, such as those that start with "-". */
function isUnfound(name: string, bind: Bind): string {
  const there = `JSON_EXTRACT(JSON_OBJECT(${bind(name)}, 1), ${bind(writeJsonPath([name]))})`;
  return `IFNULL(${there}, 0) <> 1`;
}

export function hasTextOnWay(
  column: ColumnShape,
  path: JsonPath,
  bind: Bind,
  quote: Quote,
): string {
  if (isOfList(path)) return `LOCATE(${bind('\\"')}, ${quote(column.name)}) > 0`;
  const texts = textsOnWay(column, path, bind, quote).join(' OR ');
  return `CASE WHEN JSON_VALID(${quote(column.name)}) THEN ${texts} END`;
}

function textsOnWay(column: ColumnShape, path: JsonPath, bind: Bind, quote: Quote): string[] {
  return path.map((_, place) => {
    const owner = `JSON_EXTRACT(${quote(column.name)}, ${bind(writeJsonPath(path.slice(0, place)))})`;
    return `JSON_TYPE(${owner}) = 'STRING'`;
  });
}

function extract(column: ColumnShape, path: JsonPath, bind: Bind, quote: Quote): string {
  const name = quote(column.name);
  const value = `JSON_EXTRACT(${name}, ${bind(writeJsonPath(path))})`;
  return isUnreadable(column, quote) === null
    ? value
    : `CASE WHEN JSON_VALID(${name}) THEN ${value} END`;
}
