// What was retained, and what each task did, for the printed full receipt.

import type { FullReceipt, ReceiptTask, Retained, Totals } from '../domain/receipt/documents.ts';
import type { ServiceNote } from '../domain/target/other-sides.ts';
import { tableLines } from '../domain/task/table-words.ts';
import { decidedBy } from './make-receipt.ts';
import { escapeHtml as e, type Markup, markup, readableTime, table } from './markup.ts';
import { verifiedWords } from './verified-words.ts';

export function retainedSection({ retained, tasks }: FullReceipt): Markup {
  if (retained.length === 0) {
    return markup('<section><h2>Retained</h2><p>Nothing was retained.</p></section>');
  }
  const columns = ['Target', 'Table', 'Rows', 'Why', 'Decided by'];
  const taskOfNo = new Map(tasks.map((task) => [task.task, task]));
  const rows = retained.map((kept) => retainedRow(kept, taskOfNo.get(kept.task)));
  return markup(`<section class="retained">
<h2>Retained</h2>
<p>This was found, or may be there, and was not erased:</p>
${table(columns, rows).html}
</section>`);
}

function retainedRow(kept: Retained, task: ReceiptTask | undefined): (string | number)[] {
  if ('table' in kept) {
    return [kept.target, kept.table, kept.rows, kept.reason ?? '–', decidedBy(kept.reason, task)];
  }
  const why = [kept.legal_basis, kept.reason].filter((text) => text !== null).join(': ');
  // Attempts before the decision have erased rows, or may have.
  const what = (task?.tables ?? []).length === 0 ? 'all' : 'all that was left';
  return [
    kept.target,
    what,
    kept.rows ?? 'not counted',
    why || '–',
    `${kept.by ?? '–'}, ${readableTime(kept.time)}`,
  ];
}

export function totalsLine({
  totals,
  not_found_anywhere: notFound,
}: {
  readonly totals: Totals;
  readonly not_found_anywhere: boolean;
}): Markup {
  const shared = totals.rows_shared_and_kept;
  const parts = [
    counted(totals.rows_deleted, 'deleted'),
    counted(totals.rows_overwritten, 'overwritten'),
    counted(totals.rows_erased, 'erased'),
    counted(totals.rows_removed_by_cascade, 'removed by cascade'),
    counted(totals.rows_detached, 'detached'),
    counted(totals.rows_retained - shared, 'retained'),
    counted(shared, 'shared and kept'),
    counted(totals.rows_already_gone, 'already gone'),
    counted(totals.rows_unconfirmed ?? 0, 'unconfirmed'),
  ].filter((part) => part !== undefined);
  const text = notFound
    ? 'Nothing of this person was found at any target.'
    : `Rows: ${parts.join(', ') || 'none'}.`;
  return markup(`<section><h2>In all</h2><p>${e(text)}</p></section>`);
}

function counted(rows: number, done: string): string | undefined {
  return rows === 0 ? undefined : `${rows.toLocaleString('en')} ${done}`;
}

export function tasksSection({ tasks }: FullReceipt): Markup {
  return markup(`<section>
<h2>Target by target</h2>
${tasks.map(taskOf).join('\n')}
</section>`);
}

function taskOf(task: ReceiptTask): string {
  const rows = task.tables.flatMap(({ table: name, ...evidence }) =>
    tableLines(evidence).map(({ words, rows: count, why }) => [name, words, count, why ?? '']),
  );
  const tables =
    rows.length === 0 ? '' : table(['Table', 'What became of them', 'Rows', 'Why'], rows).html;
  const run = task.run > 1 ? `, run ${task.run}` : '';
  return `<div class="task">
<h3>${e(task.target)} <span class="soft">${e(`(${task.connector}, task ${task.task}${run})`)}</span></h3>
<p>${e(inWords(task))}</p>
${tables}
</div>`;
}

function inWords(task: ReceiptTask): string {
  const sentences = [
    `${task.action.replaceAll('_', ' ')}; ${verifiedWords(task.verified)}${task.verified_by === undefined ? '' : ` (${task.verified_by})`}`,
    `${readableTime(task.started_time)} to ${readableTime(task.finished_time)}, ${task.attempts} ${task.attempts === 1 ? 'attempt' : 'attempts'}`,
    ...(task.recovered
      ? ['erased, as a whole or in part, by an attempt that was cut off, and counted by its intent']
      : []),
    ...Object.entries(task.accepted ?? {}).map(
      ([finding, reason]) => `accepted by the operator: ${finding} (${reason})`,
    ),
    ...(task.skipped_tables
      ? [`not asked, as the request has no identity for it: ${task.skipped_tables.join(', ')}`]
      : []),
    ...(task.service === undefined ? [] : afterwards(task.service)),
    ...(task.already_erased_by ? [`erased by request ${task.already_erased_by.join(', ')}`] : []),
    ...(task.by === undefined ? [] : [`by ${task.by}`]),
    ...(task.legal_basis === undefined ? [] : [`legal basis: ${task.legal_basis}`]),
    ...(task.note === undefined ? [] : [`note: ${task.note}`]),
  ];
  return sentences.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`).join(' ');
}

function afterwards({ leaves, comes_back: back }: ServiceNote): string[] {
  return [
    ...leaves.map((text) => `what stays there: ${text}`),
    ...back.map((text) => `what brings people back: ${text}`),
  ];
}
