// JUnit's XML, which build servers read. Only a MUST that is not kept is a failure there.
import { countsOf, type Result } from '../run-checks.ts';
import type { Report } from './report.ts';

export function junitOf({ profile, startedTime, results }: Report): string {
  const { must_broken: failures, errors } = countsOf(results);
  const skipped = results.filter(isSkipped).length;
  const counts = `tests="${results.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="opendsr ${escaped(profile)}" timestamp="${escaped(startedTime)}" ${counts}>`,
    ...results.map(caseOf),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const isFailure = ({ outcome, check }: Result) => outcome === 'broken' && check.level === 'MUST';
const isSkipped = (result: Result) =>
  result.outcome !== 'kept' && result.outcome !== 'error' && !isFailure(result);

function caseOf(result: Result): string {
  const { check, outcome, problem = '', reason, exchange } = result;
  const open = `    <testcase classname="${escaped(check.id)}" name="${escaped(`${check.clause} ${check.level}: ${check.rule}`)}"`;
  if (outcome === 'kept') return `${open}/>`;
  const message = reason === undefined ? problem : `${problem} (declared: ${reason})`;
  const name = isFailure(result) ? 'failure' : outcome === 'error' ? 'error' : 'skipped';
  const shown = exchange === undefined ? '' : escaped(JSON.stringify(exchange, null, 2));
  return `${open}><${name} message="${escaped(message)}">${shown}</${name}></testcase>`;
}

/** XML 1.0 has no way to write most control characters. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
