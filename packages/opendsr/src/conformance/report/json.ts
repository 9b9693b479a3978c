import { countsOf } from '../run-checks.ts';
import type { Report } from './report.ts';

export function jsonOf(report: Report): string {
  const shape = {
    opendsr: 'conformance',
    base_url: report.baseUrl,
    profile: report.profile,
    started_time: report.startedTime,
    counts: countsOf(report.results),
    checks: report.results.map(({ check, outcome, problem, reason, exchange }) => ({
      id: check.id,
      clause: check.clause,
      level: check.level,
      rule: check.rule,
      outcome,
      ...(problem !== undefined && { problem }),
      ...(reason !== undefined && { reason }),
      ...exchange,
    })),
    not_tested: report.notTested.map(([clause, reason]) => ({ clause, reason })),
    left_behind: report.leftBehind,
  };
  return `${JSON.stringify(shape, null, 2)}\n`;
}
