// A task at the beginning of an attempt, with the intent of the previous attempt.
import type { OpenedIntent } from '../intent/intents.ts';
import type { OpenedTask } from '../open-subjects.ts';
import type { Case } from './case.ts';

export type TriedTask = OpenedTask & { readonly before: OpenedIntent | undefined };

/** The task for another try in the same attempt: nothing was touched, and its intent is of this attempt. */
export function againOf(
  { task, subject, intended, reportedBefore }: Case,
  plan: string,
): TriedTask {
  const before = { ...intended, state: 'recorded', plan, isFresh: true } as const;
  const { unanswered: _, ...known } = task;
  return { task: { ...known, reported: reportedBefore }, subject, before };
}
