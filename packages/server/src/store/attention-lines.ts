// What operators are told about whatever does not go on by itself, whichever store found it.
import type { AttentionLine } from '../domain/task.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** Longer than the sweep and a lease ever take. */
export const GRACE = 15 * MINUTE;
export const PATIENT_GRACE = 25 * HOUR;
/** No retry is put off for longer; a later one means that the clock was set back. */
export const LONGEST_WAIT = 12 * HOUR;
export const THIRTY_DAYS = 30 * 24 * HOUR;

/** That there are more than so many is all that a graph has to say. */
export const MOST_COUNTED = 10_000;

/** For reasons that carry no words of their own. */
const WORDS: Readonly<Record<string, string>> = {
  held: 'a person has to decide: release or retain it',
  failed: 'it failed; retry it, or retain',
  worker_gone: 'its worker stopped; another takes over within a minute of the server starting',
  taking_long: 'it has been under way for more than a day: does the target still work on it?',
  not_worked_on: 'it is due and nobody works on it: is the server running, with its clock right?',
  blocked: 'it waits for a target to resolve, and none does; retry it',
  past_deadline: 'the expected completion time has passed',
  paused: 'erasing is paused; "unwrite resume" lets it go on',
  daily_cap: 'max_starts_per_day is reached for its controller; it starts tomorrow (UTC)',
  not_started: 'its cancellation window has passed and it was not started: is the server running?',
  not_planned: 'it has no tasks: is the server running?',
  not_completed: 'it has no open task and is not completed, which should not be: retry it',
};

export type AttentionRow = Omit<AttentionLine, 'detail'> & { readonly detail: string | null };

export function attentionLines(rows: readonly AttentionRow[]): AttentionLine[] {
  // What a paused task last waited for is not what it waits for now.
  return rows.map(({ detail, ...row }) => ({
    ...row,
    detail: (row.reason === 'paused' ? null : detail) ?? wordsFor(row.reason),
  }));
}

export function countedReasons(
  rows: readonly { readonly reason: string; readonly count: number }[],
): Map<string, number> {
  return new Map(rows.map(({ reason, count }) => [reason, count]));
}

/** A code of a target's own is a reason too, and may be called `constructor`. */
function wordsFor(reason: string): string {
  return Object.hasOwn(WORDS, reason) ? (WORDS[reason] ?? '') : '';
}
