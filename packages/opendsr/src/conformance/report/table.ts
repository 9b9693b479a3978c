// For people: a line for each rule, and the details of those that are not kept.
import { countsOf, type Result } from '../run-checks.ts';
import type { Report } from './report.ts';

const MARKS = {
  kept: '  ok  ',
  broken: ' FAIL ',
  deviation: ' dev. ',
  not_applicable: '  –   ',
  error: ' ERR  ',
} as const;

export function tableOf({ profile, results, notTested, leftBehind }: Report): string {
  const counts = countsOf(results);
  const details = results.flatMap(detailsOf);
  const parts = [
    `${counts.kept} kept`,
    `${counts.must_broken} MUST not kept`,
    `${counts.should_broken} SHOULD not kept`,
    `${counts.deviations} deviations`,
    `${counts.not_applicable} not applicable`,
    ...(counts.errors > 0 ? [`${counts.errors} without an answer`] : []),
  ];
  return [
    ...results.map(rowOf),
    ...(details.length > 0 ? ['', ...details] : []),
    ...(notTested.length > 0 ? ['', 'Not tested:'] : []),
    ...notTested.map(([clause, why]) => `  ${clause}: ${why}`),
    ...(leftBehind.length > 0
      ? ['', 'Could not be cancelled, and are left at the processor:']
      : []),
    ...leftBehind.map((id) => `  ${id}`),
    '',
    `${profile}: ${parts.join(', ')}.`,
    '',
  ].join('\n');
}

function rowOf({ check, outcome }: Result): string {
  const mark = outcome === 'broken' && check.level !== 'MUST' ? ' warn ' : MARKS[outcome];
  return `${mark} ${check.level.padEnd(6)} ${check.clause.padEnd(24)} ${check.rule}`;
}

function detailsOf({ check, outcome, problem, reason, exchange }: Result): string[] {
  if (outcome === 'kept') return [];
  const head = `${check.id} (${check.clause}): ${problem ?? ''}`;
  if (outcome === 'not_applicable') return [head];
  return [
    head,
    ...(reason === undefined ? [] : [`  declared: ${reason}`]),
    ...(exchange === undefined ? [] : exchangeLines(exchange)),
  ];
}

function exchangeLines({ sent, received }: NonNullable<Result['exchange']>): string[] {
  const headers = (it: Readonly<Record<string, string>>, mark: string) =>
    Object.entries(it).map(([name, value]) => `  ${mark} ${name}: ${value}`);
  const text = (it: string | undefined, mark: string) =>
    it === undefined || it === '' ? [] : visible(it).map((line) => `  ${mark} ${line}`);
  return [
    `  > ${sent.method} ${sent.path}`,
    ...headers(sent.headers, '>'),
    ...text(sent.body, '>'),
    `  < ${received.status}`,
    ...headers(received.headers, '<'),
    ...text(received.body, '<'),
  ];
}

/** What comes from a processor must not control a terminal. */
function visible(text: string): string[] {
  return text.split('\n').map((line) => line.replaceAll(/\p{Cc}/gu, '\ufffd'));
}
