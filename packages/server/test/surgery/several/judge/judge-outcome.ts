// No lie: what is said to be erased is gone. Able: what is held is held for a reason.
import type { TaskSummary } from '../../../../src/domain/task/task.ts';
import { isAsked } from '../../declared-world.ts';
import { canBeDeleted } from '../../judge/can-be-deleted.ts';
import { isTenantThere } from '../../judge/is-of-tenant.ts';
import { nameOf } from '../../judge/look-up.ts';
import { leftBehind } from '../../judge/orphans.ts';
import { changesBetween } from '../../judge/row-changes.ts';
import type { Violation } from '../../judge/violation.ts';
import type { RunRecord, RunTask } from '../run-record.ts';
import type { SeveralCase } from '../several-case.ts';
import { worldOf } from './lookups.ts';
import { leftOf, targetOf, type View, viewAt } from './view.ts';

export function judgeOutcome(
  generated: SeveralCase,
  runs: readonly RunRecord[],
  at: number,
): Violation[] {
  const run = runs[at];
  if (run === undefined) return [];
  return run.tasks.flatMap((task) => {
    const outcome = run.tasksAfter[task.request]?.find(({ taskNo }) => taskNo === task.taskNo);
    if (outcome === undefined) return [];
    if (outcome.state === 'erased') return liesOf(generated, run, at, task, outcome);
    if (outcome.state !== 'held') return [];
    const why = `${run.target}: ${outcome.reason}: ${outcome.detail}`;
    const isDue = isJustified(generated, runs.slice(0, at + 1), run, task, outcome);
    const rule = `held without need: ${outcome.reason}`;
    return isDue ? [] : [{ kind: 'unable', tryNo: at, rule, detail: why } as const];
  });
}

/** By what is proven, and by all that is known if that is more. */
const ownershipsOf = ({ owned, all, proven }: View, { known }: RunTask) =>
  proven.length < known.length ? [owned, all] : [owned];

const ridsOf = ([table, claims]: [string, ReadonlyMap<string, unknown>]) => [
  table,
  ...claims.keys(),
];

const momentsOf = ({ before, spans, after }: RunRecord) => [
  before,
  ...spans.flatMap(({ from, to }) => [from, to]),
  after,
];

function liesOf(
  generated: SeveralCase,
  run: RunRecord,
  at: number,
  task: RunTask,
  { evidence }: TaskSummary,
): Violation[] {
  if (run.phase !== 'erase' || evidence?.action === 'skipped') return [];
  const lie = (rule: string, detail: string): Violation => ({
    kind: 'lie',
    tryNo: at,
    rule,
    detail: `${run.target}: ${detail}`,
  });
  const own = run.spans.findLast(({ taskNos }) => taskNos.includes(task.taskNo));
  // Rows of several requests are erased for the first of them.
  const span = own ?? run.spans.at(-1);
  const [first, last] = [
    viewAt(generated, run, task, span?.from ?? run.before),
    viewAt(generated, run, task, run.after),
  ];
  // A row that it shares with an older request is erased when that one is, which may be once more.
  const later = new Set(
    run.spans
      .slice(span === undefined ? 0 : run.spans.indexOf(span) + 1)
      .flatMap(({ from, to }) => changesBetween(from, to))
      .map(({ table, rid }) => `${table} ${rid}`),
  );
  const left = [
    ...leftOf(generated, run.target, first.owned, span?.to ?? run.after).filter(
      (row) => !later.has(row),
    ),
    ...leftOf(generated, run.target, last.owned, run.after),
  ].map((row) => lie('left', row));
  if (run.released.has(task.taskNo)) return left;
  const begin = viewAt(generated, run, task, run.before);
  const isStillAlone = (row: (typeof begin.alone)[number]) =>
    last.alone.some((one) => one.table === row.table && one.rid === row.rid);
  const unproven = begin.alone
    .filter((row) => !row.stays && isStillAlone(row))
    .map(({ table, rid }) => lie('not held: unproven_identity', `${table} ${rid}`));
  const holdsOf = (view: View) => ownershipsOf(view, task).flatMap(({ holds }) => holds);
  const held = holdsOf(begin)
    .filter(({ reason }) => holdsOf(first).some((one) => one.reason === reason))
    .filter(({ reason }) => holdsOf(last).some((one) => one.reason === reason))
    .map(({ reason, table }) => lie(`not held: ${reason}`, table));
  const isAnother =
    (begin.givesAnother && first.givesAnother) || (begin.needsAnother && first.needsAnother);
  const another = isAnother ? [lie('not held: another value', 'a lookup gives another')] : [];
  return [...left, ...unproven, ...held, ...another];
}

/** Between two moments of the task's runs: an intent of an earlier run names rows too. */
function isLeftBehind(
  generated: SeveralCase,
  runs: readonly RunRecord[],
  { target }: RunRecord,
  { taskNo }: RunTask,
): boolean {
  const world = worldOf(generated, targetOf(generated, target));
  const moments = runs
    .filter((run) => run.target === target)
    .flatMap((run) =>
      run.tasks
        .filter((task) => task.taskNo === taskNo)
        .flatMap((task) =>
          momentsOf(run).map((rows) => ({
            rows,
            claims: viewAt(generated, run, task, rows).owned.claims,
          })),
        ),
    );
  return moments.some(({ rows: before, claims: then }, at) =>
    moments
      .slice(at + 1)
      .some(
        ({ rows: after, claims: now }) => leftBehind(world, then, now, before, after).length > 0,
      ),
  );
}

function isJustified(
  generated: SeveralCase,
  runs: readonly RunRecord[],
  run: RunRecord,
  task: RunTask,
  { reason }: TaskSummary,
): boolean {
  const views = momentsOf(run).map((rows) => viewAt(generated, run, task, rows));
  const isDue = views.some(
    // Where rows are found by what is not proven, the task may be held for whatever else is wrong with them.
    (view) =>
      ownershipsOf(view, task).some(
        ({ mayHold, holds }) => mayHold || holds.some((hold) => hold.reason === reason),
      ),
  );
  if (isDue) return true;
  switch (reason) {
    // Where a lookup gives another value in place of one that it gave, either may be said.
    case 'unproven_identity':
      return views.some(
        (view) =>
          view.alone.length > 0 || view.isDoubtful || view.ownGivesAnother || view.givesAnother,
      );
    case 'ambiguous_reference':
      return (
        views.some((view) => view.givesAnother || view.needsAnother || view.ownGivesAnother) ||
        // What comes while the batch runs is another value than those that counted at its beginning.
        new Set(views.map(({ proven }) => proven.map(nameOf).sort().join())).size > 1
      );
    // Statements change as many rows as were counted before, or none.
    case 'more_than_previewed':
      return (
        targetOf(generated, run.target).isByHand &&
        new Set(views.map(({ owned }) => JSON.stringify([...owned.claims].map(ridsOf)))).size > 1
      );
    case 'unknown_tenant':
      return momentsOf(run).some((rows, at) => {
        const request = views[at]?.request;
        const world = worldOf(generated, targetOf(generated, run.target));
        return request !== undefined && !isTenantThere(world, rows, request);
      });
    case 'no_usable_identity': {
      const { configuration } = targetOf(generated, run.target);
      const types = new Set((run.given[task.request] ?? []).map(({ type }) => type));
      return configuration.tables.some((entry) => !isAsked(configuration, entry, types));
    }
    case 'unplanned_change': {
      const { configuration } = targetOf(generated, run.target);
      return momentsOf(run).some((rows, at) => {
        const view = views[at];
        const claims = view === undefined ? [] : [view.owned, view.all];
        return claims.some(
          (one) => view && !canBeDeleted(generated, configuration, one, rows, view.request),
        );
      });
    }
    case 'orphaned':
      return (
        runs.some(({ fault }) => fault.startsWith('killed')) ||
        isLeftBehind(generated, runs, run, task)
      );
    default:
      return false;
  }
}
