// No harm: a target erases in its turn, after all lookups, and only rows that identities find which count at that moment.
import { entryOf, type Snapshot } from '../../declared-world.ts';
import { changesBetween, type RowChange } from '../../judge/row-changes.ts';
import type { Violation } from '../../judge/violation.ts';
import type { ErasedSpan, RunRecord, RunTask } from '../run-record.ts';
import type { SeveralCase } from '../several-case.ts';
import { isFor, worldOf } from './lookups.ts';
import { orderOf } from './order.ts';
import { targetOf, type View, viewAt } from './view.ts';

export function judgeErasing(
  generated: SeveralCase,
  runs: readonly RunRecord[],
  at: number,
): Violation[] {
  const run = runs[at];
  if (run === undefined || run.phase !== 'erase') return [];
  const violation = (rule: string, detail: string): Violation => ({
    kind: 'harm',
    tryNo: at,
    rule,
    detail: `${run.target}: ${detail}`,
  });
  return [
    ...run.tasks.flatMap((task) => [
      ...tooEarly(generated, run, task).map((name) => violation('order', `before ${name}`)),
      ...notLookedUp(generated, runs.slice(0, at), run, task).map((name) =>
        violation('before the lookups', `before ${name} has looked up`),
      ),
    ]),
    ...run.spans.flatMap((span) =>
      harmIn(generated, run, span).map(({ rule, change }) =>
        violation(rule, `${change.table} ${change.rid}`),
      ),
    ),
  ];
}

const newest = (run: RunRecord, request: number, target: string) =>
  run.tasksBefore[request]?.findLast((task) => task.target.split('-')[0] === target);

/** Names of targets that have to be done before it, and are not. */
function tooEarly(generated: SeveralCase, run: RunRecord, task: RunTask): string[] {
  // One that a dead worker had begun is ended, whatever has come since.
  const own = run.tasksBefore[task.request]?.find(({ taskNo }) => taskNo === task.taskNo);
  if (own?.state === 'running') return [];
  return [...(orderOf(generated).get(run.target) ?? [])].filter((name) => {
    const before = newest(run, task.request, name);
    return before !== undefined && before.state !== 'erased';
  });
}

function notLookedUp(
  generated: SeveralCase,
  earlier: readonly RunRecord[],
  run: RunRecord,
  task: RunTask,
): string[] {
  const request = generated.requests[task.request];
  if (run.spans.length === 0 || request === undefined) return [];
  return generated.targets
    .filter((source) => source.configuration.resolve !== null && isFor(source, request))
    .filter(
      ({ name }) =>
        !earlier.some(
          (one) =>
            one.phase === 'resolve' &&
            one.target === name &&
            one.tasks.some((other) => other.request === task.request),
        ),
    )
    .map(({ name }) => name);
}

function harmIn(
  generated: SeveralCase,
  run: RunRecord,
  span: ErasedSpan,
): { readonly rule: string; readonly change: RowChange }[] {
  const changes = changesBetween(span.from, span.to);
  if (changes.length === 0) return [];
  const tasks = run.tasks.filter(({ taskNo }) => span.taskNos.includes(taskNo));
  // What is looked up in another database was asked before the transaction began.
  const moments = [span.from, elsewhereAsBefore(generated, run, span)];
  const views = tasks.flatMap((task) => moments.map((rows) => viewAt(generated, run, task, rows)));
  return changes
    .filter((change) => !isAllowed(generated, run, views, change))
    .map((change) => ({ rule: ruleOf(views, change), change }));
}

function elsewhereAsBefore(generated: SeveralCase, run: RunRecord, span: ErasedSpan): Snapshot {
  const { place } = targetOf(generated, run.target);
  const isHere = (name: string) =>
    generated.tables.some((table) => table.name === name && table.place === place);
  return new Map(
    [...span.from].map(([table, rows]) => [
      table,
      isHere(table) ? rows : (run.before.get(table) ?? rows),
    ]),
  );
}

/** Nothing of a request may be touched where a hold is due. */
const mayErase = ({ owned, givesAnother }: View) => owned.holds.length === 0 && !givesAnother;

function isAllowed(
  generated: SeveralCase,
  run: RunRecord,
  views: readonly View[],
  { table, rid, before, after }: RowChange,
): boolean {
  const target = targetOf(generated, run.target);
  if (target.configuration.cascades.includes(table)) return views.some(mayErase);
  const action = entryOf(worldOf(generated, target), table, before)?.action;
  if (action === undefined || action === 'retain') return false;
  if (typeof action === 'object') {
    const isOnly = Object.keys(before).every(
      (column) => before[column] === after?.[column] || column in action.overwrite,
    );
    if (!isOnly) return false;
  } else if (after !== undefined) return false;
  return views.some((view) => mayErase(view) && view.owned.claims.get(table)?.get(rid) === 'own');
}

function ruleOf(views: readonly View[], { table, rid }: RowChange): string {
  const isAlone = views.some(({ alone }) =>
    alone.some((one) => one.table === table && one.rid === rid),
  );
  if (isAlone) return 'erased by an identity that is not proven';
  const [hold] = views.flatMap(({ owned }) => owned.holds);
  if (hold !== undefined) return `erased although to be held: ${hold.reason}`;
  if (views.some((view) => view.givesAnother)) return 'erased although a lookup gives another';
  return "erased what is another's";
}
