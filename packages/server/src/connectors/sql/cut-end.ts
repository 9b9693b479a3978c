/** Removes the characters of `end` from the end of a text. A regular expression for this takes quadratic time. */
export function cutEnd(text: string, end: string): string {
  let length = text.length;
  while (length > 0 && end.includes(text.charAt(length - 1))) length--;
  return text.slice(0, length);
}
