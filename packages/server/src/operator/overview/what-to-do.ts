// What an operator can do about a task or a request that needs attention: the groups of the overview, and a
// sentence for each reason.
import type { ReasonFilter } from '../../domain/task/operator-ports.ts';
import type { TaskHoldReason } from '../../domain/task/task.ts';

export const WHAT_TO_DO = [
  'release',
  'confirm',
  'identify',
  'retry',
  'target_down',
  'paused',
  'look',
  'wait',
  'legal_hold',
] as const;
/** In the order in which they are shown: first those that only an operator can end. */
export type WhatToDo = (typeof WHAT_TO_DO)[number];

export const TITLES: Readonly<Record<WhatToDo, string>> = {
  release: 'Decide: release or retain',
  confirm: 'Erase by hand, then confirm',
  identify: 'Add an identity of a type that the target uses',
  retry: 'Fix the failure, then retry',
  target_down: 'Get the target running again',
  paused: 'Paused: resume when you are ready',
  look: 'Check the server: work has stopped',
  wait: 'Waiting for tomorrow: a daily limit is reached',
  legal_hold: 'Under legal hold: waiting until it is lifted or ends',
};

const BY_REASON: Readonly<Record<string, WhatToDo>> = {
  manual: 'confirm',
  no_usable_identity: 'identify',
  paused: 'paused',
  daily_cap: 'wait',
  legal_hold: 'legal_hold',
  blocked: 'retry',
  not_completed: 'retry',
  worker_gone: 'look',
  taking_long: 'look',
  not_worked_on: 'look',
  not_started: 'look',
  not_planned: 'look',
  past_deadline: 'look',
};

/** The reasons of held or failed tasks that call for this action. */
export function reasonsFor(what: WhatToDo, state: 'held' | 'failed'): ReasonFilter {
  const known = Object.keys(BY_REASON);
  const own = known.filter((reason) => BY_REASON[reason] === what);
  if (whatToDo(state, '') !== what) return { isIn: true, reasons: own };
  return { isIn: false, reasons: known.filter((reason) => !own.includes(reason)) };
}

export function whatToDo(state: string, reason: string): WhatToDo {
  const known = Object.hasOwn(BY_REASON, reason) ? BY_REASON[reason] : undefined;
  if (known !== undefined) return known;
  if (state === 'held') return 'release';
  return state === 'failed' ? 'retry' : 'target_down';
}

const HOLDS: Readonly<Record<TaskHoldReason, string>> = {
  over_cap:
    'Preview it. If the rows are right, release; if not, correct the plan of the target, or retain.',
  more_than_previewed: 'Find out why there are more rows. Release for the new number, or retain.',
  unplanned_change:
    'Declare the table or constraint that the detail names, reload the settings and release; or retain.',
  statements_disagree: 'Correct the statements of the target, reload the settings and release.',
  ambiguous_reference: 'Correct the data or the key, then release.',
  tenant_mismatch:
    "Correct the row's tenant or reference, or the plan as the detail says, then release; or retain.",
  shared:
    'Say in the plan whether shared rows are erased or kept, reload the settings and release; or retain.',
  orphaned: 'Delete the row or connect it to somebody, then release; or retain.',
  transaction_open: 'End the transaction at the target, then release.',
  not_overwritten: 'Change the trigger, constraint or row that the detail names, then release.',
  too_many_resolved:
    'Raise the limit of "resolve", reload the settings and release; or add the right identities, then release.',
  lookup_removed:
    'Put "resolve" back, reload the settings and release; or add what it would have found, then release.',
  unproven_identity:
    "If the identity is the person's, add it, then release. If not, correct the data and release: its rows stay, and the receipt says so; or retain.",
  no_usable_identity: 'Add an identity of a type that this target uses; or retain.',
  unknown_tenant:
    'Correct the value of the controller under "tenants", reload the settings and release; if it has no data there, release.',
  preview_mode: 'If the numbers are right, release; or retain.',
  manual: 'Erase by hand, then confirm with a note; or retain.',
  target_removed:
    'Put the target, or the controller of it, back into the configuration, reload the settings and release; or retain.',
  refused_elsewhere:
    'Ask the other side why, or end the lock there; then release, which tries anew; or retain.',
  retained_before: 'Identities were added since it was retained: release, or retain again.',
  legal_hold: 'Nothing, until the legal hold ends. To let it go on, lift the hold; or retain.',
  not_in_log:
    'Somebody changed the database: find out who can. Put back what was changed, then release; or retain.',
};

/** Sentences for tasks that wait without an operator having to decide. */
const WAITS: Readonly<Record<string, string>> = {
  paused: 'It continues when erasing is resumed.',
  wait: 'It continues on the next day. If the limit is too low, raise it in the configuration.',
  target_down: 'The target is tried again automatically. Get it running again, or retry now.',
};

/** What to do about a task, in one sentence; null if nothing has to be done. */
export function sentenceFor(state: string, reason: string | null): string | null {
  if (state === 'failed') return 'It is retried automatically. Retry now, or retain.';
  if (state === 'waiting') return reason === null ? null : (WAITS[whatToDo(state, reason)] ?? null);
  if (state !== 'held') return null;
  const isKnown = reason !== null && Object.hasOwn(HOLDS, reason);
  return isKnown ? HOLDS[reason as TaskHoldReason] : 'Release it, or retain.';
}
