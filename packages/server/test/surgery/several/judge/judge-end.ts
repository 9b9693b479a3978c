// At the end every task is done, held, or waits for one that is; and a request is completed if all of its tasks are done.
import type { TaskSummary } from '../../../../src/domain/task/task.ts';
import { changesBetween } from '../../judge/row-changes.ts';
import type { Violation } from '../../judge/violation.ts';
import type { PlayedSeveral } from '../run-several.ts';
import type { SeveralCase } from '../several-case.ts';

export function judgeEnd(generated: SeveralCase, played: PlayedSeveral): Violation[] {
  const tryNo = played.runs.length;
  return played.tasks
    .flatMap((tasks, at): Violation[] => {
      if (tasks.length === 0) return [];
      const open = tasks.filter(({ state }) => state !== 'erased');
      const held = open.filter(({ state }) => state === 'held');
      const stuck = open.filter(
        (task) =>
          task.state !== 'held' &&
          !(task.state === 'waiting' && task.dueTime === null && held.length > 0),
      );
      const isDone = open.length === 0;
      const told = played.completed[at] ? 'completed' : 'not completed';
      return [
        ...stuck.map(
          ({ target, state, phase, reason, detail }): Violation => ({
            kind: 'unable',
            tryNo,
            rule: `neither done nor held: ${reason}`,
            detail: `${target} ${phase} ${state}: ${detail}`,
          }),
        ),
        ...(isDone === played.completed[at]
          ? []
          : [{ kind: isDone ? 'unable' : 'lie', tryNo, rule: 'completed', detail: told } as const]),
      ];
    })
    .concat(judgeEvidence(generated, played));
}

/** The evidence names as many rows as were changed. */
function judgeEvidence(generated: SeveralCase, { runs, tasks }: PlayedSeveral): Violation[] {
  // Who died cannot have told, and what others did meanwhile hides it.
  const isTold = runs.every(({ fault }) => !fault.startsWith('killed'));
  return generated.targets.flatMap(({ name, configuration, isByHand }): Violation[] => {
    // Statements name no tables.
    if (isByHand) return [];
    const own = runs.filter(({ target }) => target === name);
    const changed = own
      .flatMap(({ spans }) => spans.flatMap(({ from, to }) => changesBetween(from, to)))
      .filter(({ table }) => !configuration.cascades.includes(table));
    // A row that somebody else fills in again is overwritten twice, and may be told once.
    const rows = new Set(changed.map(({ table, rid }) => `${table} ${rid}`)).size;
    const all = tasks.flat().filter(({ target }) => target.split('-')[0] === name);
    const claimed = all.reduce((sum, task) => sum + rowsClaimed(task), 0);
    const isAll = all.every(({ state }) => state === 'erased');
    const isMore = isTold && claimed > changed.length;
    if (!isMore && !(isTold && isAll && claimed < rows)) return [];
    const detail = `${name}: the evidence has ${claimed} rows, and ${rows} were changed`;
    return [{ kind: 'lie', tryNo: runs.length, rule: 'evidence', detail }];
  });
}

function rowsClaimed({ evidence }: TaskSummary): number {
  return Object.values(evidence?.tables ?? {}).reduce(
    (sum, { action, rows }) => sum + (action === 'delete' || action === 'overwrite' ? rows : 0),
    0,
  );
}
