// SQLite does not validate text: its bytes may be invalid UTF-8. The driver replaces them by U+FFFD,
// and what is sent back would be another text, perhaps another person's.

/** Our own SQL function that returns the text as JavaScript received it. */
export const ECHO = 'unwrite_echo';

/** A text of ASCII letters alone, without NUL, needs no check; the function costs about a microsecond. */
const isPlain = (name: string) =>
  `${name} NOT GLOB '*[^\u0001-\u007f]*' AND instr(${name}, char(0)) = 0`;

/** True if the text that we read is exactly the stored one. */
export function isExactText(name: string): string {
  return `(${isPlain(name)} OR ${ECHO}(${name}) COLLATE BINARY = ${name})`;
}

/** The bytes of a text, in the encoding of the file. */
export function textBytes(name: string): string {
  return `hex(CAST(${name} AS BLOB))`;
}
