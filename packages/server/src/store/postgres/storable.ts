/** PostgreSQL keeps no text with a NUL in it: whoever asks for one asks for what is not there. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}
