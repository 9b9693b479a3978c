// PostgreSQL keeps no NUL in a text, and reads no JSON with one in it, or with half of a surrogate pair.
// Text that came from a target, through a connector, may have them; removing them loses nothing for a reader.

const REPLACEMENT = '\u{fffd}';

export function storedText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/** JSON escapes such characters. Escape by escape, so that an escaped backslash is not taken for one. */
const ESCAPE = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;

export function storedJson(value: unknown): string {
  return storedJsonText(JSON.stringify(value));
}

/** Nearly every text has none of them, and many other escapes. */
const MAYBE_ESCAPED = /\\u(?:0000|d[89a-f])/;

export function storedJsonText(json: string): string {
  if (!MAYBE_ESCAPED.test(json)) return json;
  return json.replace(ESCAPE, (it) => (it.length === 6 ? REPLACEMENT : it));
}

/** A text that cannot be stored cannot be found. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}
