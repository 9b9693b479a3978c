// A table as lines of text. Without a width (piped) every row is one line. On a terminal that is too narrow, columns
// that do not fit continue on further indented lines, and long text wraps. Nothing is cut off: a word that is longer
// than the line, such as an id, exceeds it.

const GAP = 2;
const INDENT = 4;
/** The last column gets the rest of a line only if it is at least this wide. */
const READABLE = 30;

interface Place {
  readonly column: number;
  /** Column of the terminal in which it begins. */
  readonly from: number;
  /** Width at which text wraps; undefined if it fits. */
  readonly wrapAt: number | undefined;
}

export function renderTable(rows: readonly (readonly string[])[], width?: number): string[] {
  const widths = widestOf(rows);
  const places = placeColumns(widths, width ?? Number.POSITIVE_INFINITY);
  return rows.flatMap((row) => places.flatMap((line) => renderLine(row, line, widths)));
}

// Not Math.max(...cells): a call cannot take a few hundred thousand arguments.
function widestOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, text] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, text.length);
    }
  }
  return widths;
}

function placeColumns(widths: readonly number[], width: number): Place[][] {
  let line: Place[] = [];
  const lines = [line];
  let next = 0;
  for (const [column, needed] of widths.entries()) {
    const isLast = column === widths.length - 1;
    const left = width - next;
    const shares = needed <= left || (isLast && left >= READABLE);
    if (!shares && line.length > 0) {
      line = [];
      lines.push(line);
      next = INDENT;
    }
    const room = width - next;
    line.push({ column, from: next, wrapAt: needed <= room ? undefined : room });
    next = needed <= room ? next + needed + GAP : width;
  }
  return lines;
}

function renderLine(
  row: readonly string[],
  places: readonly Place[],
  widths: readonly number[],
): string[] {
  let first = '';
  let more: string[] = [];
  for (const { column, from, wrapAt } of places) {
    const [head = '', ...rest] = wrap(row[column] ?? '', wrapAt);
    first = `${first.padEnd(from)}${head.padEnd(wrapAt === undefined ? (widths[column] ?? 0) : 0)}`;
    more = rest.map((text) => `${' '.repeat(from)}${text}`);
  }
  return [first.trimEnd(), ...more];
}

/** Wraps after blanks and, for JSON, commas; a longer word, such as an id, stays whole. */
function wrap(text: string, width: number | undefined): string[] {
  if (width === undefined || text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const part of text.split(/(?<=[ ,])/)) {
    if (line !== '' && line.length + part.trimEnd().length > width) {
      lines.push(line.trimEnd());
      line = part;
    } else line += part;
  }
  return [...lines, line];
}
