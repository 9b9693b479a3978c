// Writes small pieces of YAML as a person would.

const PLAIN = /^[\p{L}_][\p{L}\p{N}_.]*$/u;
const WORDS = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

export function writeScalar(text: string): string {
  return PLAIN.test(text) && !WORDS.has(text.toLowerCase()) ? text : JSON.stringify(text);
}

export function writeList(items: readonly string[]): string {
  return `[${items.map(writeScalar).join(', ')}]`;
}

/** `values`: already YAML. */
export function writeMap(entries: readonly (readonly [string, string])[]): string {
  return `{ ${entries.map(([name, value]) => `${writeScalar(name)}: ${value}`).join(', ')} }`;
}

/** The same, with one entry on each line. */
export function writeBlock(
  entries: readonly (readonly [string, string])[],
  indent: number,
): string[] {
  return entries.map(([name, value]) => `${' '.repeat(indent)}${writeScalar(name)}: ${value}`);
}

const WIDTH = 100;

/** A long comment has several lines; `?` marks what an operator has to decide. */
export function writeComment(
  text: string,
  indent: number,
  mark: '' | '? ' = '',
  /** The indentation of the following lines. */
  hanging: number = mark.length,
): string[] {
  const start = `${' '.repeat(indent)}# `;
  const lines: string[] = [];
  let line: string = mark;
  for (const word of text.split(' ')) {
    const isFull = start.length + line.length + word.length > WIDTH && line.trim() !== mark.trim();
    if (isFull) {
      lines.push(line.trimEnd());
      line = ' '.repeat(hanging);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].map((it) => `${start}${it}`);
}
