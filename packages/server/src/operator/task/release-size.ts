// How much a release of many tasks is about, so that nobody releases more than was shown.
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { releasedRows } from '../../domain/task/released-rows.ts';
import type { TaskSummary } from '../../domain/task/task.ts';

export interface Size {
  readonly tasks: number;
  /** Requests: one for each person. */
  readonly people: number;
  /** Most rows that they may erase, where the hold has counted them. */
  readonly rows: number;
  /** Tasks that the target's own limits apply to, as their rows are not counted. */
  readonly uncounted: number;
}

export interface ReleaseSize extends Size {
  readonly groups: readonly (Size & {
    readonly controller_id: string;
    readonly reason: string | null;
  })[];
}

export interface ExpectedSize {
  readonly tasks: number;
  readonly rows: number;
}

type Sized = Pick<TaskSummary, 'controllerId' | 'subjectRequestId' | 'reason' | 'previewedRows'>;

export function releaseSize(tasks: readonly Sized[]): ReleaseSize {
  const groups = Map.groupBy(tasks, ({ controllerId, reason }) =>
    JSON.stringify([controllerId, reason]),
  );
  return {
    ...sizeOf(tasks),
    groups: [...groups].map(([key, own]) => {
      const [controller_id, reason] = JSON.parse(key) as [string, string | null];
      return { controller_id, reason, ...sizeOf(own) };
    }),
  };
}

function sizeOf(tasks: readonly Sized[]): Size {
  const rows = tasks.map(releasedRows);
  return {
    tasks: tasks.length,
    people: new Set(tasks.map((it) => `${it.controllerId} ${it.subjectRequestId}`)).size,
    rows: rows.reduce<number>((sum, it) => sum + (it ?? 0), 0),
    uncounted: rows.filter((it) => it === null).length,
  };
}

/** `expected`: what the operator was shown. */
export function requireSize(now: Size, expected: ExpectedSize | undefined): void {
  if (expected === undefined) return;
  if (now.tasks === expected.tasks && now.rows === expected.rows) return;
  throw new NotPossible(
    `nothing was released: it would be ${now.tasks} tasks with ${now.rows} rows now, and not ${expected.tasks} with ${expected.rows}; look at them again`,
  );
}
