// What a matched column says: the whole of it, or what stands somewhere in its JSON. A document that the
// database cannot read is read here; one that cannot be read at all is never passed over.
import type { JsonPath } from '../../../domain/json-path.ts';
import type { Selected, SqlDialect } from '../dialect.ts';
import type { PlannedMatch } from '../plan/plan.ts';
import { isPlain } from '../select-rows.ts';

export function selectMatched(
  dialect: SqlDialect,
  { column, path }: PlannedMatch,
  name: string,
): Selected {
  if (path === null) return { sql: dialect.readText(column), name, isPlain: isPlain(column) };
  return { sql: (bind) => dialect.readJson(column, path, bind), name, isPlain: false };
}

/** In front of something that is there and equals no identity: it is somebody's all the same. */
const NO_IDENTITY = '\0';

/** Of what `selectMatched` reads; null where nothing is there. */
export function readMatched(
  { path }: Pick<PlannedMatch, 'path'>,
  read: string | null,
): string | null {
  if (path === null || read === null) return read;
  if (read.startsWith('=')) return scalarText(read.slice(1));
  const document = readDocument(read);
  return document === undefined ? NO_IDENTITY : valueText(document.value, path);
}

/** The text of a document that is no JSON; undefined where it could be read. */
export function unreadableText(
  { path }: Pick<PlannedMatch, 'path'>,
  read: string | null,
): string | undefined {
  if (path === null || !read?.startsWith('!')) return undefined;
  return readDocument(read) === undefined ? read.slice(1) : undefined;
}

function readDocument(read: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(read.slice(1)) };
  } catch {
    return undefined;
  }
}

/** Texts are meant, and numbers as they are written. */
function scalarText(json: string): string | null {
  if (json === 'null') return null;
  if (/^-?\d/.test(json)) return json;
  if (!json.startsWith('"')) return NO_IDENTITY + json;
  const { value } = readDocument(`=${json}`) ?? {};
  return typeof value === 'string' ? value : NO_IDENTITY + json;
}

function valueText(document: unknown, path: JsonPath): string | null {
  let value = document;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value) !== (typeof part === 'number')) return null;
    value = Object.hasOwn(value, part) ? (value as Record<string | number, unknown>)[part] : null;
  }
  if (value === null) return null;
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : NO_IDENTITY + JSON.stringify(value);
}

/** Whether a text that is no JSON may hold this value, as it is or with characters written by escapes. */
export function mayHold(text: string, value: string, fold: (text: string) => string): boolean {
  const plain = text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\(.)/g, '$1');
  return [text, plain].some((spelling) => fold(spelling).includes(fold(value)));
}
