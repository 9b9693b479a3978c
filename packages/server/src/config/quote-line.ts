// Quotes a line of the configuration file below a message about it, with a caret. The file may hold secrets,
// and in a line that cannot be parsed they may be anywhere: values that may be secret are shown as asterisks.

const MAX_LENGTH = 100;
/** Names whose values may be secret, or hold a password. */
const SECRET_NAME =
  /(?:key|secret|token|password|passphrase|bearer|basic|hmac|webhook|credential|url|store|options)[\w"']*/i;
const NAMED_VALUE = /^\s*(?:- +)?["']?[\w.-]+["']?\s*:/;
const LONG_WORD = /[\w+/=-]{16,}/g;

export function quoteLine(source: string, line: number, column: number): string {
  const lines = source.split(/\r?\n/);
  const text = (lines[line - 1] ?? '').replaceAll('\t', ' ');
  const shown = isBelowSecret(lines, line - 1) ? hide(text) : hideSecrets(text);
  const start = column <= MAX_LENGTH ? 0 : column - MAX_LENGTH / 2;
  return `${shown.slice(start, start + MAX_LENGTH)}\n${' '.repeat(Math.max(0, column - 1 - start))}^`;
}

function hideSecrets(text: string): string {
  const { index = text.length, 0: name = '' } = SECRET_NAME.exec(text) ?? {};
  const end = index + name.length;
  return `${text.slice(0, end)}${hide(text.slice(end))}`.replaceAll(LONG_WORD, hide);
}

/** A secret may continue over the lines after its name: indented more, or within quotes that were not closed. */
function isBelowSecret(lines: readonly string[], place: number): boolean {
  const text = lines[place] ?? '';
  const above = lines.slice(0, place).filter((line) => line.trim() !== '');
  const parent = above.findLast((line) => indentOf(line) < indentOf(text));
  if (parent !== undefined && SECRET_NAME.test(parent)) return true;
  return !NAMED_VALUE.test(text) && SECRET_NAME.test(above.at(-1) ?? '');
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Keeps blanks and YAML syntax, so that the shape can be recognised. */
function hide(text: string): string {
  return text.replaceAll(/[^\s:{}[\],]/g, '*');
}
