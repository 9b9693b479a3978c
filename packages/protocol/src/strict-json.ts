// A JSON reader that repairs nothing: silent repair could erase the wrong person, or no one.
// `JSON.parse` decides the grammar; one pass over the text and one over the value find what it lets
// through. That costs about half of a reader written by hand.

const MAX_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The message says what is wrong and never repeats a part of the text. */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError';
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const keysInText = scan(text);
  const value = parse(text);
  // Raw bytes were valid UTF-8 and raw control characters fail the grammar, so a lone surrogate or
  // a NUL can only have come from an escape.
  const escaped = text.includes('\\u');
  if (keysInText > 0 || escaped) {
    const keysInValue = walk(value, escaped);
    if (keysInValue !== keysInText) {
      throw new StrictJsonError(
        'The body has an object with the same key twice; send each key once',
      );
    }
  }
  return value;
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new StrictJsonError('The body is empty; send a JSON object');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new StrictJsonError('The body is not valid UTF-8; send JSON encoded as UTF-8');
  }
  if (text.charCodeAt(0) === 0xfeff) {
    throw new StrictJsonError('The body begins with a byte order mark; send UTF-8 without one');
  }
  return text;
}

/** Checks the depth before anything recurses, and counts the keys: colons outside of strings. */
function scan(text: string): number {
  let depth = 0;
  let keys = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        break;
      case COLON:
        keys++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > MAX_DEPTH) {
          throw new StrictJsonError(`The body is nested deeper than ${MAX_DEPTH} levels`);
        }
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
    }
  }
  return keys;
}

/** The place of the quote that closes the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // V8's message quotes the source; only the position may go out.
    const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(
      (error as Error).message,
    )?.[1];
    const where = position === undefined ? '' : ` (near character ${Number(position) + 1})`;
    throw new StrictJsonError(`The body is not valid JSON${where}`);
  }
}

/** Counts the keys of the value: a key written twice is there once. */
function walk(value: unknown, escaped: boolean): number {
  if (typeof value === 'string') {
    if (escaped) checkText(value);
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += walk(item, escaped);
    return keys;
  }
  // Values of JSON.parse inherit nothing enumerable, and `for in` allocates nothing.
  for (const key in value) {
    if (escaped) checkText(key);
    keys += 1 + walk((value as Record<string, unknown>)[key], escaped);
  }
  return keys;
}

function checkText(text: string): void {
  if (!text.isWellFormed()) {
    throw new StrictJsonError('The body has a lone surrogate in a string; send whole characters');
  }
  if (text.includes('\0')) {
    throw new StrictJsonError('The body has a NUL character in a string; remove it');
  }
}
