// PostgreSQL keeps no NUL in a text, and reads no JSON with one in it, or with half of a surrogate pair.
// Text that came from a target, through a connector, may have them; removing them loses nothing for a reader.

const REPLACEMENT = '\u{fffd}';

export function storedText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/**
 * JSON escapes such characters. This matches one escape at a time, so that the second half of an escaped
 * backslash does not start another escape.
 */
const ESCAPE = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;

export function storedJson(value: unknown): string {
  return storedJsonText(JSON.stringify(value));
}

/** A fast test: nearly every text has other escapes only. */
const MAYBE_ESCAPED = /\\u(?:0000|d[89a-f])/;

export function storedJsonText(json: string): string {
  if (!MAYBE_ESCAPED.test(json)) return json;
  return json.replace(ESCAPE, (it) => (it.length === 6 ? REPLACEMENT : it));
}

/** A text that cannot be stored cannot be found either. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}
