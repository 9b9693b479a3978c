// The value of a matched column: all of it, or a place in its JSON. Documents are parsed here and not by the
// database, so that a path means the same everywhere; a document that cannot be parsed is never ignored.
import { isOfList, type JsonPath } from '../../../domain/target/json-path.ts';
import type { Selected, SqlDialect } from '../dialect.ts';
import { findSpans } from '../json-spans.ts';
import type { PlannedMatch } from '../plan/plan.ts';
import { isPlain } from '../select-rows.ts';

export function selectMatched(
  dialect: SqlDialect,
  { column, path }: PlannedMatch,
  name: string,
): Selected {
  if (path === null) return { sql: dialect.readText(column), name, isPlain: isPlain(column) };
  return { sql: dialect.readDocument(column), name, isPlain: false };
}

/** Prefix of a value that equals no identity: it still belongs to some person. */
const NO_IDENTITY = '\0';

type Place = Pick<PlannedMatch, 'path'>;

/** The values from the result of `selectMatched`: several only of the items of a list. */
export function readMatched({ path }: Place, read: string | null): readonly string[] {
  if (read === null) return [];
  if (path === null) return [read];
  const found = findSpans(read, path);
  if (found === undefined) return [NO_IDENTITY];
  const texts = textsOf(read, found.spans);
  const isEncoded = found.encoded.some(
    ({ text, rest }) => readMatched({ path: rest }, text).length > 0,
  );
  if (isEncoded || (found.isTwice && texts.length > 0))
    return isOfList(path) ? [...texts, NO_IDENTITY] : [NO_IDENTITY];
  return isOfList(path) ? [...new Set(texts)] : texts.slice(0, 1);
}

/** Why a document does not say whose it is, and whose it may be. */
export interface Doubt {
  readonly reason: 'unreadable' | 'twice' | 'encoded';
  mayBeOf(identity: string): boolean;
}

/** `fold`: the form in which two texts are compared. Undefined if the document says whose it is. */
export function doubtOf(
  { path }: Place,
  read: string | null,
  fold: { readonly part: (text: string) => string; readonly whole: (text: string) => string },
): Doubt | undefined {
  if (path === null || read === null) return undefined;
  const found = findSpans(read, path);
  if (found === undefined)
    return { reason: 'unreadable', mayBeOf: (identity) => mayHold(read, identity, fold.part) };
  const inner = found.encoded.flatMap(({ text, rest }) => decodedTexts(text, rest).map(fold.whole));
  if (inner.length > 0)
    return { reason: 'encoded', mayBeOf: (identity) => inner.includes(identity) };
  if (!found.isTwice) return undefined;
  const texts = new Set(textsOf(read, found.spans).map(fold.whole));
  return { reason: 'twice', mayBeOf: (identity) => texts.has(identity) };
}

/** The values at the path, however often the text is encoded. */
function decodedTexts(text: string, path: JsonPath): string[] {
  const found = findSpans(text, path);
  if (found === undefined) return [];
  return [
    ...textsOf(text, found.spans),
    ...found.encoded.flatMap(({ text: inner, rest }) => decodedTexts(inner, rest)),
  ];
}

function textsOf(
  document: string,
  spans: readonly { readonly start: number; readonly end: number }[],
): string[] {
  return spans.flatMap(({ start, end }) => scalarText(document.slice(start, end)) ?? []);
}

/** Texts, and numbers in the spelling of the document. */
function scalarText(json: string): string | null {
  if (json === 'null') return null;
  if (/^-?\d/.test(json)) return json;
  return json.startsWith('"') ? JSON.parse(json) : NO_IDENTITY + json;
}

/** Whether a text that is not JSON may contain this value, plain or with escaped characters. */
function mayHold(text: string, value: string, fold: (text: string) => string): boolean {
  const plain = text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\(.)/g, '$1');
  return [text, plain].some((spelling) => fold(spelling).includes(fold(value)));
}
