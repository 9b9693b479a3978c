// A task at the beginning of an attempt, with the intent of the previous attempt.
import type { OpenedIntent } from '../intent/intents.ts';
import type { OpenedTask } from '../open-subjects.ts';
import type { Case } from './case.ts';

export type TriedTask = OpenedTask & { readonly before: OpenedIntent | undefined };

/** The task for another try in the same attempt: what an earlier attempt may have erased was compared already. */
export function againOf(tried: TriedTask, one: Case | undefined): TriedTask {
  if (one === undefined) return tried;
  const { unanswered: _, ...task } = tried.task;
  return { ...tried, task: { ...task, reported: one.reportedBefore } };
}
