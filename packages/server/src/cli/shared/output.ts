// What commands print: a table or a few lines for people, JSON for scripts.
import { asTyped } from '../../domain/own-command.ts';
import { visibleLine, visibleLines } from '../../domain/visible-text.ts';
import { relativeIso } from './relative-time.ts';
import { renderTable } from './table.ts';

export { isoTime as time } from '../../operator/iso-time.ts';

const MIN_WIDTH = 40;
const USUAL_WIDTH = 80;

export function printJson(value: unknown): void {
  process.stdout.write(`${visibleLines(JSON.stringify(value, null, 2))}\n`);
}

export function printLines(...lines: string[]): void {
  process.stdout.write(`${asTyped(visibleLines(lines.join('\n')))}\n`);
}

export function printTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  const head = columns.map((name) => name.toUpperCase());
  printRows([head, ...rows.map((row) => row.map(tableCell))]);
}

/** Prints no header line. */
export function printRows(rows: readonly (readonly string[])[], indent = 0): void {
  const width = terminalWidth();
  const lines = renderTable(rows, width === undefined ? undefined : width - indent);
  for (const line of lines) process.stdout.write(`${' '.repeat(indent)}${line}\n`);
}

export function printFields(fields: Readonly<Record<string, string | number | null>>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    process.stdout.write(`${name.padEnd(width)}  ${fieldValue(value)}\n`);
  }
}

/** Columns of the terminal; undefined if the output is piped. */
export function terminalWidth(): number | undefined {
  const { isTTY, columns } = process.stdout;
  return isTTY ? Math.max(MIN_WIDTH, columns ?? USUAL_WIDTH) : undefined;
}

/** A time in a sentence: relative on a terminal, ISO 8601 if piped. */
export function timeInSentence(milliseconds: number): string {
  return tableCell(new Date(milliseconds).toISOString());
}

function tableCell(value: string | number | null): string {
  const text = cell(value);
  if (terminalWidth() === undefined) return text;
  return relativeIso(text, Date.now()) ?? text;
}

/** Shows a time in both forms, because a field has enough room. */
function fieldValue(value: string | number | null): string {
  const text = cell(value);
  if (terminalWidth() === undefined) return text;
  const relative = relativeIso(text, Date.now());
  return relative === undefined ? text : `${text} (${relative})`;
}

/** Names from tokens and multi-line texts must neither break the table nor control the terminal. */
function cell(value: string | number | null): string {
  return value === null ? '-' : asTyped(visibleLine(String(value)));
}

/** Written to standard error, so that piped output is not affected. */
export function warnIfLimited(printed: number, limit: number): void {
  if (printed < limit) return;
  process.stderr.write(`There may be more; --limit shows more than ${limit}.\n`);
}

/** `unwrite request list | head` is not a failure: the reader has closed the pipe. */
export function exitOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
