// What erasing a person would do at each target.
import type { Identity } from '../request/identity.ts';
import type { Counts } from './connector.ts';
import type { TargetConfig } from './target.ts';

/** Facts beside the target itself that affect a run. */
export interface PreviewFacts {
  isPaused(target: string): boolean;
  /** Rows of the target's daily limit that are used up today. */
  rowsToday(target: string): Promise<number>;
  /** The request's newest task at the target, if the request has started. */
  taskAt(target: string): { readonly allowedRows: number | null } | undefined;
  /** What targets have looked up for the request, if it has started. */
  readonly lookedUp?: readonly LookedUp[];
}

export interface LookedUp {
  /** Name of the target that looked them up. */
  readonly source: string;
  readonly identities: readonly Identity[];
}

export interface TargetPreview {
  readonly target: TargetConfig;
  readonly outcome:
    | 'would_erase'
    | 'not_found'
    | 'would_hold'
    | 'would_wait'
    | 'would_skip'
    | 'failed';
  /** Why it would be held or delayed, or the code of a failure. */
  readonly reason: string | null;
  readonly detail: string | null;
  readonly counts: Counts;
  readonly retained: Counts;
  /** Rows that stay, and would lose their references to erased rows. */
  readonly detached: Counts;
  /** Rows that would stay because they also belong to another person. */
  readonly kept: Counts;
  /** Rehearsed: for how many milliseconds its rows were locked, before everything was rolled back. */
  readonly lockedMs?: number;
}

export interface RequestPreview {
  /** Number of looked-up identities, without those that were given. */
  readonly resolved: number;
  /** Targets that cannot look up identities now: until they can, nothing is erased at any target. */
  readonly waitsFor: readonly string[];
  readonly targets: readonly TargetPreview[];
}
