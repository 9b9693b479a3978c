// Finds where the parts of a JSON text are. The text is scanned and not parsed into values: numbers keep
// their digits, and a name that occurs twice is found twice.
import { EACH, type JsonPath } from '../../domain/target/json-path.ts';

/** The position of a value in the text, from its first character to just after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Where its name begins; in a list, where the value itself begins. */
  readonly memberStart: number;
}

export interface Spans {
  /** All places to which the path leads. */
  readonly spans: readonly Span[];
  /** Whether one object has a name of the path twice: some parsers take the first, others the last. */
  readonly isTwice: boolean;
  /** Texts on the path that contain JSON themselves (encoded twice). */
  readonly encoded: readonly EncodedJson[];
}

export interface EncodedJson {
  readonly text: string;
  /** The rest of the path, inside it. */
  readonly rest: JsonPath;
}

/** Undefined if the text is not JSON. */
export function findSpans(text: string, path: JsonPath): Spans | undefined {
  try {
    JSON.parse(text);
    return readSpans(text, path);
  } catch {
    // Also if it is nested too deeply to be scanned.
    return undefined;
  }
}

/** Whether the path leads to a value inside such a text, however often it is encoded. */
export function isEncodedThere({ encoded }: Pick<Spans, 'encoded'>): boolean {
  return encoded.some(({ text, rest }) => {
    const found = findSpans(text, rest);
    return found !== undefined && (found.spans.length > 0 || isEncodedThere(found));
  });
}

function readSpans(text: string, path: JsonPath): Spans {
  let at = skipBlanks(text, 0);
  const spans: Span[] = [];
  const encoded: EncodedJson[] = [];
  let isTwice = false;

  /** `rest`: the rest of the path; undefined off the path. Leaves `at` after the value. */
  function readValue(rest: JsonPath | undefined, memberStart: number): void {
    const start = at;
    const [next, ...further] = rest ?? [];
    const after = (segment: string | number) =>
      rest !== undefined && isAlong(next, segment) ? further : undefined;
    if (text[at] === '{') readMembers(after);
    else if (text[at] === '[') readItems(after);
    else at = text[at] === '"' ? endOfString(text, at) : endOfScalar(text, at);
    if (rest?.length === 0) spans.push({ start, end: at, memberStart });
    else if (rest !== undefined && text[start] === '"') {
      const inner = JSON.parse(text.slice(start, at)) as string;
      if (holdsJson(inner)) encoded.push({ text: inner, rest });
    }
  }

  function readMembers(after: (segment: string) => JsonPath | undefined): void {
    at = skipBlanks(text, at + 1);
    let isThere = false;
    while (text[at] !== '}') {
      const memberStart = at;
      at = endOfString(text, at);
      const name = JSON.parse(text.slice(memberStart, at)) as string;
      // Moves past the colon.
      at = skipBlanks(text, skipBlanks(text, at) + 1);
      const rest = after(name);
      if (rest !== undefined) {
        isTwice ||= isThere;
        isThere = true;
      }
      readValue(rest, memberStart);
      at = skipBlanks(text, at);
      if (text[at] === ',') at = skipBlanks(text, at + 1);
    }
    at += 1;
  }

  function readItems(after: (place: number) => JsonPath | undefined): void {
    at = skipBlanks(text, at + 1);
    for (let place = 0; text[at] !== ']'; place++) {
      readValue(after(place), at);
      at = skipBlanks(text, at);
      if (text[at] === ',') at = skipBlanks(text, at + 1);
    }
    at += 1;
  }

  readValue(path, at);
  return { spans, isTwice, encoded };
}

const isAlong = (next: string | number | undefined, segment: string | number) =>
  next === segment || (next === EACH && typeof segment === 'number');

function holdsJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at] ?? '')) at++;
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfScalar(text: string, from: number): number {
  let at = from;
  while (at < text.length && !' \t\n\r,]}'.includes(text[at] ?? '')) at++;
  return at;
}
