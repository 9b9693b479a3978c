const CONTROL_CHARACTER = /\p{Cc}/u;

/** No white space at either end, no control characters; otherwise an opaque value to match. */
export function isIdentityValue(text: string): boolean {
  return text.trim() === text && !CONTROL_CHARACTER.test(text);
}
