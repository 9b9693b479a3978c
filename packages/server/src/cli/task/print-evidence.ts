// Prints what was done at each target, table by table, or who decided otherwise and why.
import { tableLines } from '../../domain/task/table-words.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { printLines, printTable } from '../shared/output.ts';

type Row = (string | number | null)[];

export function printEvidence(tasks: readonly TaskSummary[]): void {
  const rows = tasks.flatMap(rowsOf);
  if (rows.length === 0) return;
  printTable(['evidence of task', 'target', 'action', 'table', 'rows', 'why'], rows);
  printLines('');
}

function rowsOf({ taskNo, target, evidence }: TaskSummary): Row[] {
  if (evidence === null) return [];
  const { action, tables, note, legal_basis: legalBasis } = evidence;
  const byTable = Object.entries(tables).flatMap(([table, evidence]) =>
    tableLines(evidence).map(
      ({ words: done, rows, why }): Row => [taskNo, target, done, table, rows, why],
    ),
  );
  const isByPerson = action === 'retained' || action === 'confirmed';
  if (byTable.length > 0 && !isByPerson) return byTable;
  const why = [legalBasis, note].filter((text) => text !== undefined).join(': ') || null;
  return [...byTable, [taskNo, target, action.replaceAll('_', ' '), null, null, why]];
}
