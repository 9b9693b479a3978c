// What commands print: a table or a few lines for people, JSON for scripts.

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLines(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function printTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  const cells = [columns.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(cell))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
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

function cell(value: string | number | null): string {
  return value === null ? '-' : String(value);
}

export function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
