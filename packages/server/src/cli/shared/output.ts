// What commands print: a table or a few lines for people, JSON for scripts.
import { visibleLine, visibleLines } from '../../domain/visible-text.ts';

export { isoTime as time } from '../../operator/iso-time.ts';

export function printJson(value: unknown): void {
  process.stdout.write(`${visibleLines(JSON.stringify(value, null, 2))}\n`);
}

export function printLines(...lines: string[]): void {
  process.stdout.write(`${visibleLines(lines.join('\n'))}\n`);
}

export function printTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  const cells = [columns.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(cell))];
  // Not Math.max(...cells): a list of a few hundred thousand is more than a call takes.
  const widths = columns.map((_, i) =>
    cells.reduce((widest, row) => Math.max(widest, (row[i] ?? '').length), 0),
  );
  for (const row of cells) {
    const line = row.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ');
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}

export function printFields(fields: Readonly<Record<string, string | number | null>>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) {
    process.stdout.write(`${name.padEnd(width)}  ${cell(value)}\n`);
  }
}

/** Names from tokens and texts of several lines must neither break the table nor steer a terminal. */
function cell(value: string | number | null): string {
  return value === null ? '-' : visibleLine(String(value));
}

/** On standard error: what is piped on stays as it is. */
export function sayIfThereMayBeMore(printed: number, limit: number): void {
  if (printed < limit) return;
  process.stderr.write(`There may be more; --limit shows more than ${limit}.\n`);
}

/** `unwrite request list | head` is not a failure: the reader has closed the pipe. */
export function endWithTheReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
