/** Without the characters of `end` at its end. A regular expression for it would look again from each character. */
export function cutEnd(text: string, end: string): string {
  let length = text.length;
  while (length > 0 && end.includes(text.charAt(length - 1))) length--;
  return text.slice(0, length);
}
