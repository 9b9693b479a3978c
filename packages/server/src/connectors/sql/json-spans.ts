// Where the parts of a JSON text are. Read as text and not parsed into values: numbers keep their digits, and
// a name that is there twice is found twice.
import type { JsonPath } from '../../domain/target/json-path.ts';

/** Of a value in the text, from its first character up to behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** From its name, or itself in a list, on. */
  readonly memberStart: number;
}

export interface Spans {
  /** All places that the path names. */
  readonly spans: readonly Span[];
  /** Whether one object has a name of the path twice: some readers take the first, others the last. */
  readonly isTwice: boolean;
  /** Texts on the way that hold JSON themselves: what was written into the document twice encoded. */
  readonly encoded: readonly EncodedJson[];
}

export interface EncodedJson {
  readonly text: string;
  /** What of the path is still ahead, inside it. */
  readonly rest: JsonPath;
}

/** Undefined where the text is no JSON. */
export function findSpans(text: string, path: JsonPath): Spans | undefined {
  try {
    JSON.parse(text);
    return readSpans(text, path);
  } catch {
    // Also where it is nested deeper than it can be read.
    return undefined;
  }
}

/** Whether something stands at the path inside such a text, however often it is encoded. */
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

  /** `rest`: what of the path is still ahead; undefined off the path. Leaves `at` behind the value. */
  function readValue(rest: JsonPath | undefined, memberStart: number): void {
    const start = at;
    const [next, ...further] = rest ?? [];
    const after = (segment: string | number) =>
      rest !== undefined && next === segment ? further : undefined;
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
      // Behind the colon.
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
