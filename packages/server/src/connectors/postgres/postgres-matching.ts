// How PostgreSQL finds candidates for values inside JSON, and for values with blanks around them. An index is
// used only if it is on exactly the expression that is written here.
import { isOfList, type JsonPath } from '../../domain/target/json-path.ts';
import { BLANKS } from '../sql/blanks.ts';
import type { ColumnShape } from '../sql/catalogue.ts';
import { listedTexts } from '../sql/listed-texts.ts';
import type { MatchedPlace } from '../sql/plan/plan.ts';

type Quote = (name: string) => string;

/** Null characters and unpaired surrogates: `json` stores them, but no function can read them. */
const UNREADABLE = `'\\\\u(0000|[dD][89a-fA-F])'`;

/** Characters that are written otherwise than they are. */
const ESCAPED = `'\\\\(u|/)'`;

/** The text to compare. */
export function matchedValue({ column, path, trim }: MatchedPlace, quote: Quote): string {
  const name = quote(column.name);
  const value =
    path === null ? `${name}::text` : guarded(column, `${name} #>> ${pathOf(path)}`, quote);
  return trim ? `btrim(${value}, ${literal(BLANKS)})` : value;
}

/** The expression that an email is compared with; an index must have the same one. */
export function foldedValue(place: MatchedPlace, quote: Quote): string {
  return `lower((${matchedValue(place, quote)}) COLLATE "C")`;
}

/** The expression that any other identity is compared with; an index must have the same one. */
export function exactValue(place: MatchedPlace, quote: Quote): string {
  return `(${matchedValue(place, quote)}) COLLATE "C"`;
}

/** Documents with one of these texts somewhere in them. */
export function amongListed(
  { name }: ColumnShape,
  texts: readonly string[],
  bind: (texts: readonly string[]) => string,
  quote: Quote,
): string {
  const { words, numbers } = listedTexts(texts);
  const document = `lower(${quote(name)}::text COLLATE "C")`;
  const ways = [
    ...(words.length === 0
      ? []
      : [
          `EXISTS (SELECT 1 FROM unnest(${bind(words)}::text[]) v WHERE strpos(${document}, v) > 0)`,
        ]),
    ...(numbers.length === 0
      ? []
      : [
          `EXISTS (SELECT 1 FROM unnest(${bind(numbers)}::text[]) v WHERE ${document} ~ ('(^|[^0-9])' || v || '([^0-9]|$)'))`,
        ]),
  ];
  return `(${ways.join(' OR ')})`;
}

export function isUnreadable({ name, base }: ColumnShape, quote: Quote): string | null {
  return base === 'jsonb' ? null : `${quote(name)}::text ~ ${UNREADABLE}`;
}

/** If a name occurs several times, `jsonb` keeps only the last. */
export function mayMiss(column: ColumnShape, path: JsonPath, quote: Quote): string | null {
  const unreadable = isUnreadable(column, quote);
  if (unreadable === null) return null;
  const name = quote(column.name);
  if (isOfList(path)) return `(${unreadable} OR ${name}::text ~ ${ESCAPED})`;
  const twice = path.flatMap((part, place) => {
    if (typeof part === 'number') return [];
    const owner = place === 0 ? name : `${name} #> ${pathOf(path.slice(0, place))}`;
    const members = `json_each(CASE WHEN json_typeof(${owner}) = 'object' THEN ${owner} END)`;
    return `(SELECT count(*) FROM ${members} m WHERE m.key = ${literal(part)}) > 1`;
  });
  const missed = [...twice, ...textsOnWay(column, path, quote)];
  return `CASE WHEN ${unreadable} THEN true ELSE ${missed.join(' OR ')} END`;
}

export function hasTextOnWay(column: ColumnShape, path: JsonPath, quote: Quote): string {
  if (isOfList(path)) return `strpos(${quote(column.name)}::text, '\\"') > 0`;
  const texts = textsOnWay(column, path, quote).join(' OR ');
  const unreadable = isUnreadable(column, quote);
  return unreadable === null ? `(${texts})` : `CASE WHEN NOT ${unreadable} THEN ${texts} END`;
}

function textsOnWay({ name, base }: ColumnShape, path: JsonPath, quote: Quote): string[] {
  return path.map((_, place) => {
    const owner = place === 0 ? quote(name) : `${quote(name)} #> ${pathOf(path.slice(0, place))}`;
    return `${base === 'jsonb' ? 'jsonb' : 'json'}_typeof(${owner}) = 'string'`;
  });
}

function guarded(column: ColumnShape, value: string, quote: Quote): string {
  const unreadable = isUnreadable(column, quote);
  return unreadable === null ? value : `CASE WHEN NOT ${unreadable} THEN ${value} END`;
}

function pathOf(path: JsonPath): string {
  return `ARRAY[${path.map((part) => literal(String(part))).join(', ')}]`;
}

/** A literal, because an index has one; it never contains a value of a request. */
function literal(text: string): string {
  const escaped = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x20 && code < 0x7f) return character.replace(/['\\]/, '\\$&');
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  const isPlain = /^[\x20-\x7e]*$/.test(text) && !/['\\]/.test(text);
  return isPlain ? `'${text}'` : `E'${escaped.join('')}'`;
}
