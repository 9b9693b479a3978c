// What was kept, and what was done at each system, for the printed receipt of a controller.

import type { Receipt, RetainedAtSystem, SystemOutcome } from '../domain/receipt/documents.ts';
import { type Markup, markup, readableTime, table } from './markup.ts';
import { verifiedWords } from './verified-words.ts';

export function keptSection({ retained }: Receipt): Markup {
  if (retained.length === 0) {
    return markup('<section><h2>Retained</h2><p>Nothing was retained.</p></section>');
  }
  const rows = retained.map((kept) => [
    kept.system,
    kept.rows ?? 'not counted',
    whyOf(kept),
    kept.decided_by,
  ]);
  return markup(`<section class="retained">
<h2>Retained</h2>
<p>This was found, or may be there, and was not erased:</p>
${table(['System', 'Rows', 'Why', 'Decided by'], rows).html}
</section>`);
}

const whyOf = ({ legal_basis: basis, reason }: RetainedAtSystem) =>
  [basis, reason].filter((text) => text !== undefined && text !== null).join(': ') || '–';

export function systemsSection({ systems }: Receipt): Markup {
  const columns = ['System', 'What was done', 'Rows', 'Made sure', 'When'];
  const rows = systems.map((outcome) => [
    outcome.run > 1 ? `${outcome.system}, run ${outcome.run}` : outcome.system,
    doneAt(outcome),
    rowsOf(outcome),
    verifiedWords(outcome.verified),
    readableTime(outcome.finished_time),
  ]);
  const notes = systems.flatMap(({ system, leaves = [], comes_back: back = [] }) => [
    ...leaves.map((text) => [system, text]),
    ...back.map((text) => [system, `what brings the person back: ${text}`]),
  ]);
  const afterwards =
    notes.length === 0 ? '' : table(['System', 'Afterwards'], distinct(notes)).html;
  return markup(`<section>
<h2>System by system</h2>
${table(columns, rows).html}
${afterwards}
</section>`);
}

/** A later run says the same. */
function distinct(rows: readonly string[][]): string[][] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function doneAt({
  action,
  already_erased_by: others,
  tables_not_asked: skipped = 0,
}: SystemOutcome) {
  return [
    ACTIONS[action],
    ...(others === undefined ? [] : [`for request ${others.join(', ')}`]),
    ...(skipped === 0 ? [] : [`${skipped} not asked, as the request has no identity for them`]),
  ].join('; ');
}

const ACTIONS: Readonly<Record<SystemOutcome['action'], string>> = {
  erased: 'erased',
  not_found: 'nothing found',
  already_erased: 'erased before',
  skipped: 'not asked, as the request has no identity for it',
  retained: 'retained',
  confirmed: 'erased by hand',
};

function rowsOf({ rows }: SystemOutcome): string {
  const parts = Object.entries(rows).map(
    ([name, count]) => `${count.toLocaleString('en')} ${name.replaceAll('_', ' ')}`,
  );
  return parts.join(', ') || '–';
}
