// Prints a preview, target by target: only names of tables and numbers.
import type { TargetPreview } from '../../domain/target/preview.ts';
import { entryName, type TableConfig, type TargetConfig } from '../../domain/target/target.ts';
import type { PersonPreview } from '../../operator/request/preview-person.ts';
import { printLines } from '../shared/output.ts';

export function printPreview(preview: PersonPreview): void {
  const { targets, resolved, waitsFor, startsTomorrow } = preview;
  if (targets.length === 0) {
    printLines(
      'No target is configured for this controller: an operator would have to erase by hand.',
    );
    return;
  }
  if (resolved === 1) printLines('One more identity of the person was looked up.');
  if (resolved > 1) printLines(`${resolved} more identities of the person were looked up.`);
  for (const found of targets) {
    const { target } = found;
    printLines(`${target.name} (${target.connector}): ${inWords(found)}${rehearsed(found)}`);
    for (const line of rowsOf(found)) printLines(line);
  }
  if (waitsFor.length > 0) {
    printLines(
      `Nothing is erased anywhere before identities are looked up at: ${waitsFor.join(', ')}.`,
    );
  }
  if (startsTomorrow) {
    printLines('max_starts_per_day of the controller is reached: it would start tomorrow (UTC).');
  }
  printLines('Nothing was changed.');
}

function inWords({ outcome, reason, detail }: TargetPreview): string {
  switch (outcome) {
    case 'would_erase':
      return detail === null ? 'would be erased' : `would be erased (${detail})`;
    case 'not_found':
      return 'not found here';
    case 'would_skip':
      return 'would be skipped: no usable identity';
    case 'would_hold':
      return reason === 'manual'
        ? `a person does it: ${detail}`
        : `would be held: ${detail} (${reason})`;
    case 'would_wait':
      return `would wait: ${detail} (${reason})`;
    case 'failed':
      return `cannot say: ${detail} (${reason})`;
  }
}

const rehearsed = ({ lockedMs }: TargetPreview) =>
  lockedMs === undefined
    ? ''
    : `; rehearsed and rolled back, with its rows locked for ${lockedMs} ms`;

function rowsOf({ target, counts, retained, detached, kept }: TargetPreview): string[] {
  const tables = tablesOf(target).map(entryName);
  // In the order of erasing; names that the target itself reported come last.
  const place = (table: string) => (tables.includes(table) ? tables.indexOf(table) : tables.length);
  const lines = [
    ...Object.entries(counts).map(([table, rows]) => ({
      table,
      rows,
      action: actionOf(target, table),
    })),
    ...Object.entries(retained).map(([table, rows]) => ({ table, rows, action: 'retain' })),
    ...Object.entries(detached).map(([table, rows]) => ({ table, rows, action: 'detach' })),
    ...Object.entries(kept).map(([table, rows]) => ({ table, rows, action: 'keep, shared' })),
  ]
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => place(a.table) - place(b.table));
  const width = Math.max(0, ...lines.map(({ table }) => table.length));
  const actionWidth = Math.max(9, ...lines.map(({ action }) => action.length));
  return lines.map(
    ({ table, rows, action }) =>
      `  ${action.padEnd(actionWidth)}  ${table.padEnd(width)}  ${rows} ${rows === 1 ? 'row' : 'rows'}`,
  );
}

function actionOf(target: TargetConfig, table: string): string {
  const tables = tablesOf(target);
  if (tables.length === 0) return 'erase';
  return tables.find((it) => entryName(it) === table)?.action.kind ?? 'cascade';
}

/** None if the target has no tables. */
function tablesOf(target: TargetConfig): readonly TableConfig[] {
  return 'work' in target && target.work.kind === 'tables' ? target.work.tables : [];
}
