// The evidence of all tasks in a few lines.
import type { RowCounts } from './make-shop.ts';

export interface Task {
  readonly task: number;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly evidence: Evidence | null;
}

interface Evidence {
  readonly action: string;
  readonly verified: string;
  readonly tables: Readonly<Record<string, { action: string; rows: number; reason?: string }>>;
}

export function summarise(tasks: readonly Task[], before: RowCounts, after: RowCounts): string[] {
  const evidence = tasks.flatMap((task) => task.evidence ?? []);
  const actions = countBy(evidence.map(({ action }) => action.replaceAll('_', ' ')));
  const verified = countBy(evidence.map((it) => it.verified));
  const rows = new Map<string, number>();
  for (const { tables } of evidence) {
    for (const [table, { action, rows: n }] of Object.entries(tables)) {
      const line = `${action.padEnd(8)} ${table}`;
      rows.set(line, (rows.get(line) ?? 0) + n);
    }
  }
  return [
    'Evidence (no identities in it):',
    ...[...actions].map(([action, n]) => `  ${String(n).padStart(6)} requests ${action}`),
    ...[...verified].map(([how, n]) => `  ${String(n).padStart(6)} verified: ${how}`),
    '',
    'Rows, as the evidence counts them:',
    ...[...rows].map(([line, n]) => `  ${String(n).padStart(6)} ${line}`),
    '',
    'Rows, as the shop counts them:',
    ...Object.keys(before).map((table) => {
      const [was, is] = [before[table] ?? 0, after[table] ?? 0];
      return `  ${table.padEnd(12)} ${was} -> ${is} (${was - is} gone)`;
    }),
  ];
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
